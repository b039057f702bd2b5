! weft_ensembles: many transforms at once, each on all ranks or on some of them.
module weft_ensembles
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_errors, only: refuse, tell, weft_ok
  use weft_handles, only: c_of, clear, give_cell, handle_cell, handle_view
  use weft_plans, only: set_sides, show_plan, weft_plan
  use weft_problems
  implicit none
  private
  public :: weft_ensemble, weft_policy

  !> How the ranks are shared out: whichever of the next three is predicted to be fastest; every instance on all ranks; the nodes
  !> shared out evenly; as many instances as that fits on subsets, and the others on all ranks; as weft_policy says.
  integer, parameter, public :: weft_automatic = 0, weft_all_ranks = 1, weft_subsets = 2, weft_mixed = 3, weft_chosen = 4

  type :: weft_policy
    integer :: form = weft_automatic
    integer, allocatable :: rank_counts(:)  !< chosen: how many ranks each instance has
    integer, allocatable :: ranks(:)        !< chosen: those of the first instance, then of the second, and so on; from 0
  end type weft_policy

  !> An instance of each of some problems, with a plan of its own. Creating and freeing it is collective.
  type :: weft_ensemble
    private
    type(handle_cell), pointer :: at => null()
  contains
    procedure, private :: create_ensemble_f08, create_ensemble_integer
    !> call ensemble%create(comm, problems [, policy, settings, stat, errmsg])
    generic :: create => create_ensemble_f08, create_ensemble_integer
    procedure :: free => free_ensemble
    procedure :: form => form_of
    procedure :: ranks => ranks_of
    procedure :: plan => plan_of
  end type weft_ensemble

contains

  subroutine create_ensemble_f08(self, comm, problems, policy, settings, stat, errmsg)
    class(weft_ensemble), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    type(weft_problem), intent(in) :: problems(:)
    type(weft_policy), intent(in), optional :: policy
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call create_ensemble_integer(self, comm%MPI_VAL, problems, policy, settings, stat, errmsg)
  end subroutine create_ensemble_f08

  subroutine create_ensemble_integer(self, comm, problems, policy, settings, stat, errmsg)
    class(weft_ensemble), intent(inout) :: self
    integer, intent(in) :: comm
    type(weft_problem), intent(in) :: problems(:)
    type(weft_policy), intent(in), optional :: policy
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(problem_of_c), allocatable, target :: asked(:)
    type(c_ptr), allocatable :: places(:)
    type(c_policy) :: shared_out
    integer(c_int), allocatable, target :: counts(:), ranks(:)
    integer :: i, status
    call give_cell(self%at)
    call free_ensemble(self)
    allocate (asked(size(problems)), places(size(problems)))
    do i = 1, size(problems)
      call convert(problems(i), asked(i))
      places(i) = c_loc(asked(i)%c)
    end do
    shared_out%size = c_sizeof(shared_out)
    if (present(policy)) then
      shared_out%form = int(policy%form, c_int)
      if (policy%form == weft_chosen) call choose(policy, size(problems), counts, ranks)
      if (allocated(counts)) then
        shared_out%rank_counts = c_loc(counts)
        shared_out%ranks = c_loc(ranks)
      end if
    end if
    status = c_ensemble_create(int(comm, c_int), size(problems, kind=c_int), places, shared_out, own_arrays(settings), self%at%c)
    if (status == weft_ok) call keep_plans(self%at, problems)
    call tell(status, stat, errmsg)
  end subroutine create_ensemble_integer

  ! The lists of a policy, if they are as long as they say.
  subroutine choose(policy, instances, counts, ranks)
    type(weft_policy), intent(in) :: policy
    integer, intent(in) :: instances
    integer(c_int), allocatable, intent(out) :: counts(:), ranks(:)
    if (.not. (allocated(policy%rank_counts) .and. allocated(policy%ranks))) then
      call refuse('a policy that is chosen needs rank_counts and ranks')
    else if (size(policy%rank_counts) /= instances .or. sum(policy%rank_counts) /= size(policy%ranks)) then
      call refuse('rank_counts have a number for each instance, and ranks as many as these together')
    else
      counts = int(policy%rank_counts, c_int)
      ranks = int(policy%ranks, c_int)
    end if
  end subroutine choose

  subroutine keep_plans(at, problems)
    type(handle_cell), intent(inout) :: at
    type(weft_problem), intent(in) :: problems(:)
    integer :: i, status
    allocate (at%views(size(problems)))
    do i = 1, size(problems)
      allocate (at%views(i)%at)
      at%views(i)%at%is_view = .true.
      status = c_ensemble_plan(at%c, int(i - 1, c_int), at%views(i)%at%c)
      if (c_associated(at%views(i)%at%c)) call set_sides(at%views(i)%at, problems(i))
    end do
  end subroutine keep_plans

  subroutine free_ensemble(self, stat, errmsg)
    class(weft_ensemble), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    handle = c_of(self%at)
    call clear(self%at)
    call tell(c_ensemble_free(handle), stat, errmsg)
  end subroutine free_ensemble

  !> How the ranks are shared out: the policy, or what automatic chose; weft_automatic if there is no ensemble. Not collective.
  function form_of(self) result(form)
    class(weft_ensemble), intent(in) :: self
    integer :: form
    integer(c_int) :: found
    form = weft_automatic
    if (c_ensemble_form(c_of(self%at), found) == weft_ok) form = int(found)
  end function form_of

  !> The ranks of an instance, from 0 and ascending, the same on every rank. Instances count from 1. Not collective.
  subroutine ranks_of(self, instance, ranks, stat, errmsg)
    class(weft_ensemble), intent(in) :: self
    integer, intent(in) :: instance
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: count
    integer(c_int), pointer :: list(:)
    type(c_ptr) :: place
    integer :: status
    status = c_ensemble_ranks(c_of(self%at), int(instance - 1, c_int), count, place)
    if (status == weft_ok) then
      call c_f_pointer(place, list, [count])
      ranks = int(list)
    else
      allocate (ranks(0))
    end if
    call tell(status, stat, errmsg)
  end subroutine ranks_of

  !> The plan of an instance, which stays the ensemble's; not created where this rank is not one of its ranks. Not collective.
  subroutine plan_of(self, instance, plan, stat, errmsg)
    class(weft_ensemble), intent(in) :: self
    integer, intent(in) :: instance
    type(weft_plan), intent(out) :: plan
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: found
    integer :: status
    status = c_ensemble_plan(c_of(self%at), int(instance - 1, c_int), found)
    if (status == weft_ok) call show_plan(self%at%views(instance)%at, plan)
    call tell(status, stat, errmsg)
  end subroutine plan_of

end module weft_ensembles
