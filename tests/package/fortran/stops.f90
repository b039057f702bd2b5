! stops: without stat, an error on one rank ends the program with its whole text, though the others wait for this rank.
program stops
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  complex(real64), allocatable :: flat(:)
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call plan%create(MPI_COMM_WORLD, weft_problem([8, 8]), 'effort=estimate')
  if (rank == 1) call plan%make(7, flat)
  call MPI_Barrier(MPI_COMM_WORLD)
  print '(a)', 'this is not reached'
end program stops
