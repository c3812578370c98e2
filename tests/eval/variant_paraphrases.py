"""Further faithful retellings, as a person might write them; the check was made to accept these."""

from __future__ import annotations

FAITHFUL = (
    (
        "Ploy connects a lamp of R = 7.8 ohm to a battery with an emf of V_0 = 9 V and an internal resistance r = 0.43 ohm. Find the current I, the terminal voltage V_t, and the power P_r lost inside the battery.",
        "A battery has an emf of V_0 = 9 V and an internal resistance r = 0.43 ohm. Valentina connects a lamp of R = 7.8 ohm to it. Determine the current I, the terminal voltage V_t and the power P_r that is lost inside the battery.",
    ),
    (
        "Jonas measures a poster as a = 54.5 cm by b = 44.4 cm, each with an uncertainty of u = 0.2 cm. Find its area A.",
        "A poster is measured by Thandi as a = 54.5 cm by b = 44.4 cm; each has an uncertainty of u = 0.2 cm. What is its area A?",
    ),
    (
        "Omar rides a bicycle from home to Hilltop Village at a steady v_1 = 12 km/h, and back by the same way at a steady v_2 = 26 km/h. What is the average speed of the whole trip?",
        "At a steady v_1 = 12 km/h, Tashi cycles from home to the town of Puno. Tashi comes back by the same way at a steady v_2 = 26 km/h. Find the average speed of the whole trip.",
    ),
    (
        "In the amusement park, a roller-coaster car of mass m = 440 kg starts from rest at a height h above the lowest point of a track without friction and runs through a vertical loop of radius r = 10 m. What is the least speed v_t at the top of the loop for which it keeps touching the track?",
        "A roller-coaster car (m = 440 kg) in an amusement park in Cebu starts from rest at a height h above the lowest point of a frictionless track, and then runs through a vertical loop with a radius of r = 10 m. Find the least speed v_t at the top of the loop with which it keeps touching the track.",
    ),
    (
        "From the old stone bridge, h = 23 m above the water, Ivan drops a pebble from rest. A second one is thrown straight down dt = 0.42 s later, and both strike the water at the same moment. With g = 9.8 m/s^2 and no air resistance, find the fall time t_1 of the first and the initial speed v_2 of the second.",
        "Hamza stands on a bridge in Ifrane, h = 23 m above the water, and drops a stone from rest. He throws a second stone straight down dt = 0.42 s later. Both hit the water at the same moment. Air resistance is negligible and g = 9.8 m/s^2. Find the time of fall t_1 of the first and the initial speed v_2 of the second.",
    ),
    (
        "The speed of a tram that leaves Central Station is a graph of three straight parts: it rises from zero to v_m = 10.6 m/s in t_1 = 12 s, stays there for t_2 = 36 s, and falls to zero in t_3 = 9.6 s. Find the distance x between the stops.",
        "A tram leaves Oran station. The graph of its speed has three straight parts: in t_1 = 12 s it rises from zero to v_m = 10.6 m/s, it stays there for t_2 = 36 s, and it falls to zero in t_3 = 9.6 s. How far apart are the stops (distance x)?",
    ),
    (
        "A 0.15 kg ball moving at 40 m/s is caught by Sam, whose glove stops it in 0.050 s. What average force does the glove exert on the ball?",
        "Musa catches a 0.15 kg ball that moves at 40 m/s; his glove stops it in 0.050 s. Find the average force that the glove exerts on the ball.",
    ),
    (
        "How much energy is needed to melt 2.0 kg of ice at 0 °C? The latent heat of fusion is 334 kJ/kg.",
        "A vendor in Harbin wants to melt 2.0 kg of ice at 0 °C. The latent heat of fusion is 334 kJ/kg. How much energy is needed?",
    ),
    (
        "Peter pulls a sled of mass 20 kg over level snow with a rope at 30 degrees above the horizontal. The tension is 80 N and friction is negligible. Calculate the acceleration.",
        "Over level snow near Harbin, Haoran pulls a sled (mass 20 kg) by a rope at an angle of 30 degrees above the horizontal. The tension is 80 N. Neglecting friction, what is the acceleration?",
    ),
    (
        "A string of length 0.80 m and mass 2.4 g is under a tension of 90 N. Find the speed of waves on it and its fundamental frequency.",
        "The string of Nayra's charango is 0.80 m long, has a mass of 2.4 g and is under a tension of 90 N. What are the speed of waves on it and its fundamental frequency?",
    ),
    (
        "A train travels 120 km in 1.5 h, then rests for 30 min and travels another 80 km in 1.0 h. What is its average speed for the whole journey?",
        "In 1.5 h a train from Durban travels 120 km. It then rests for 30 min before it travels another 80 km in 1.0 h. Calculate its average speed for the whole journey.",
    ),
    (
        "Light of wavelength 550 nm falls on two slits 0.20 mm apart. How far apart are the bright fringes on a screen 1.5 m away?",
        "Yerlan lets light with a wavelength of 550 nm fall on two slits that are 0.20 mm apart. On a screen 1.5 m away, how far apart are the bright fringes?",
    ),
    (
        "A heat engine takes in 800 J from a reservoir at 500 K and gives off 500 J to one at 300 K. Find its efficiency and compare it with the maximum possible efficiency.",
        "From a reservoir at 500 K, a heat engine in a workshop in Jos takes in 800 J; it gives off 500 J to one at 300 K. Determine its efficiency, and compare it with the maximum possible efficiency.",
    ),
    (
        "A ladder of length 5.0 m leans against a smooth wall at 60 degrees to the ground. Amy, who weighs 600 N, stands halfway up. What is the normal force of the wall on the ladder if the ladder weighs 200 N?",
        "Leaning against a frictionless wall is a ladder of length 5.0 m, at 60 degrees to the ground. The ladder weighs 200 N, and Farida, who weighs 600 N, stands halfway up. Find the normal force of the wall on the ladder.",
    ),
    (
        "An electric kettle of 2.0 kW runs on 230 V for 3.0 minutes. What current flows, and how much energy is used?",
        "For 3.0 min, Awa runs an electric kettle of 2.0 kW on 230 V. Find the current that flows and the energy used.",
    ),
    (
        "A child on a merry-go-round of radius 2.0 m moves at a constant speed of 3.0 m/s. Find the centripetal acceleration.",
        "At a fair in Recife, a child moves at a constant speed of 3.0 metres per second on a merry-go-round with a radius of 2.0 metres. What is the centripetal acceleration?",
    ),
    (
        "Jack throws a ball at 12 m/s at an angle of 35° above the horizontal. Ignore air resistance. How long is it in the air, and how far away does it land?",
        "Seydou throws an orange at 12 m/s and 35 degrees above the horizontal. How long is it in the air and how far away does it land, if air resistance is ignored?",
    ),
    (
        "If a stone is dropped into a well and the splash is heard 2.5 s later, how deep is the well? The speed of sound is 343 m/s.",
        "Sunita drops a stone into a well and hears the splash 2.5 s later. With a speed of sound of 343 m/s, how deep is the well?",
    ),
)
