# tools/compare: the parts of ./dev compare, and where the peers are.
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "bench" / "peers"
if str(PEERS) not in sys.path:
    sys.path.insert(0, str(PEERS))  # peer.py has the field and the check frequencies
