# demo: the parts of tools/demo.py: volume, launch, check, spectrum, figures, page.
