"""Questions on devices and cycles, written for these tests, with answers from property formulations."""
