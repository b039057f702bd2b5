! taylor_green: the Navier-Stokes equations in a periodic cube of side 2 pi, from the Taylor-Green vortex on, by a pseudo-spectral
! method without aliases. In Fourier space
!     du/dt = P[F(u x w)] - nu k^2 u,   w = curl u,   P = 1 - k k.../k^2,
! where P takes out what pressure balances. Products are made in real space, on a grid of 64^3 points; of their 64^3 waves those up
! to 21 are kept, so that what a product makes beyond them does not come back as other waves. Time steps are those of the classical
! Runge-Kutta method. The kinetic energy after 0.1 at nu = 1/1600 is that of M. Mortensen and H. P. Langtangen, "High performance
! Python for direct numerical simulations of turbulent flows", Comput. Phys. Commun. 203 (2016).
program taylor_green
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 64, kept = 43  ! waves -21 to 21
  real(real64), parameter :: nu = 1d0/1600, dt = 0.01d0, shares(4) = [1, 2, 2, 1]/6d0, reaches(4) = [0.5d0, 0.5d0, 1d0, 0d0]
  type(weft_plan) :: plan
  real(real64), allocatable :: u(:, :, :, :), w(:, :, :, :)      ! the last index counts the three components
  complex(real64), allocatable :: v(:, :, :, :), at(:, :, :, :), begin(:, :, :, :), rate(:, :, :, :), curl(:, :, :, :)
  integer, allocatable :: kx(:), ky(:), kz(:)
  integer :: step, stage, i, j, k
  real(real64) :: h, energy
  call MPI_Init()
  call plan%create(MPI_COMM_WORLD, weft_problem([n, n, n], kind='r2c', norm='forward', modes=[kept, kept, kept], batch=3))
  call plan%make(weft_input, u)
  call plan%make(weft_input, w)
  call plan%make(weft_output, v)
  call plan%make(weft_output, rate)
  call plan%make(weft_output, curl)
  call plan%wavenumbers(1, kx)
  call plan%wavenumbers(2, ky)
  call plan%wavenumbers(3, kz)

  h = 2*acos(-1d0)/n
  do concurrent(i=lbound(u, 1):ubound(u, 1), j=lbound(u, 2):ubound(u, 2), k=lbound(u, 3):ubound(u, 3))
    u(i, j, k, 1) = sin(h*(i - 1))*cos(h*(j - 1))*cos(h*(k - 1))
    u(i, j, k, 2) = -cos(h*(i - 1))*sin(h*(j - 1))*cos(h*(k - 1))
    u(i, j, k, 3) = 0
  end do
  call plan%forward(u, v)
  do step = 1, 10
    begin = v
    at = v
    do stage = 1, 4
      call change(at)
      v = v + dt*shares(stage)*rate
      at = begin + dt*reaches(stage)*rate
    end do
  end do
  call plan%backward(v, u)
  energy = sum(u**2)/2/real(n, real64)**3  ! relative to the volume of the cube
  call MPI_Allreduce(MPI_IN_PLACE, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(a, f15.12, a, es9.2)', 'kinetic energy at 0.1: ', energy, ', error', abs(energy - 0.124953117517d0)
  if (abs(energy - 0.124953117517d0) > 1d-11) error stop 1
  call plan%free()
  call MPI_Finalize()

contains

  ! The right-hand side, for the velocity `a`, into `rate`.
  subroutine change(a)
    complex(real64), intent(in) :: a(lbound(v, 1):, lbound(v, 2):, lbound(v, 3):, :)
    complex(real64), parameter :: imaginary = (0, 1)
    real(real64) :: wave(3), k2
    complex(real64) :: pressure
    do concurrent(i=lbound(v, 1):ubound(v, 1), j=lbound(v, 2):ubound(v, 2), k=lbound(v, 3):ubound(v, 3))
      curl(i, j, k, 1) = imaginary*(ky(j)*a(i, j, k, 3) - kz(k)*a(i, j, k, 2))
      curl(i, j, k, 2) = imaginary*(kz(k)*a(i, j, k, 1) - kx(i)*a(i, j, k, 3))
      curl(i, j, k, 3) = imaginary*(kx(i)*a(i, j, k, 2) - ky(j)*a(i, j, k, 1))
    end do
    call plan%backward(a, u)
    call plan%backward(curl, w)
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        do i = lbound(u, 1), ubound(u, 1)
          w(i, j, k, :) = cshift(u(i, j, k, :), 1)*cshift(w(i, j, k, :), 2) - cshift(u(i, j, k, :), 2)*cshift(w(i, j, k, :), 1)
        end do
      end do
    end do
    call plan%forward(w, rate)
    do k = lbound(v, 3), ubound(v, 3)
      do j = lbound(v, 2), ubound(v, 2)
        do i = lbound(v, 1), ubound(v, 1)
          wave = [kx(i), ky(j), kz(k)]
          k2 = sum(wave**2)
          pressure = sum(wave*rate(i, j, k, :))/max(k2, 1d0)
          rate(i, j, k, :) = rate(i, j, k, :) - wave*pressure - nu*k2*a(i, j, k, :)
        end do
      end do
    end do
  end subroutine change

end program taylor_green
