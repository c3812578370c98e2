"""Motion followed in small steps, and roots found by bisection: what the second routes of mechanics have in common."""

from scipy import integrate, optimize


def follow(acceleration, start, velocity, until, longest=1e4):
    """Time, place and velocity when `until(time, place, velocity)` falls through zero, on a line or in space."""
    import numpy as np

    start, velocity = np.atleast_1d(np.array(start, float)), np.atleast_1d(np.array(velocity, float))
    size = len(start)

    def rate(time, state):
        return np.concatenate([state[size:], np.atleast_1d(acceleration(time, state[:size], state[size:]))])

    def event(time, state):
        return until(time, state[:size], state[size:])

    event.terminal, event.direction = True, -1
    path = integrate.solve_ivp(
        rate,
        (0, longest),
        np.concatenate([start, velocity]),
        events=event,
        rtol=1e-9,
        atol=1e-12,
        max_step=longest,
    )
    state = path.y_events[0][0]
    return path.t_events[0][0], state[:size], state[size:]


def root(function, low, high):
    """Where a function changes sign."""
    return optimize.brentq(function, low, high, xtol=1e-13, rtol=1e-13)


def area(function, low, high):
    """The integral by quadrature."""
    return integrate.quad(function, low, high, limit=200)[0]
