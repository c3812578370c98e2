"use strict";
// A word of the query counts where it begins a word of the entry, more where few entries have it and most in the
// name. An entry need not have every word: those that have more of what the words are worth come first.
(function () {
  const shown = 60;
  const input = document.getElementById("query");
  const list = document.getElementById("results");
  const status = document.getElementById("found");
  const domains = document.getElementById("domains");
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  const regime = document.getElementById("regime");
  const words = (text) => fold(text).split(/[^a-z0-9]+/).filter(Boolean);
  const entries = window.ENTRIES.map(([id, name, about, regimes]) => ({
    id, name, regimes, inName: words(name), inAll: words(id + " " + name + " " + about),
  }));

  function fit(entry, word) {
    if (entry.inName.includes(word)) return 4;
    if (entry.inName.some((other) => other.startsWith(word))) return 3;
    if (entry.inAll.includes(word)) return 2;
    return entry.inAll.some((other) => other.startsWith(word)) ? 1 : 0;
  }

  function ranked(query, among) {
    const totals = among.map((entry) => -entry.inName.length / 100);
    const having = among.map(() => 0);
    for (const word of new Set(query)) {
      const fits = among.map((entry) => fit(entry, word));
      const rarity = Math.log(1 + among.length / (1 + fits.filter(Boolean).length));
      fits.forEach((each, place) => {
        totals[place] += each * rarity;
        having[place] += each ? rarity : 0;
      });
    }
    // Half of the best entry's share of the query is asked of every other one.
    const enough = having.reduce((one, other) => Math.max(one, other), 0) / 2;
    return among.map((entry, place) => [totals[place], entry]).filter((_, place) => !query.length || (having[place] > 0 && having[place] >= enough));
  }

  function show() {
    const query = words(input.value);
    domains.hidden = query.length > 0 || regime.value !== "";
    list.replaceChildren();
    status.textContent = "";
    if (!domains.hidden) return;
    const found = ranked(query, entries.filter((entry) => !regime.value || entry.regimes.includes(regime.value)));
    found.sort((one, other) => other[0] - one[0]);
    status.textContent = found.length + " of " + entries.length + " entries" + (found.length > shown ? ", the best " + shown + " shown" : "");
    for (const [, entry] of found.slice(0, shown)) {
      const link = document.createElement("a");
      link.href = "entries/" + entry.id + ".html";
      link.textContent = entry.name;
      const id = document.createElement("code");
      id.textContent = entry.id;
      id.className = "soft";
      const item = document.createElement("li");
      item.append(link, " ", id);
      list.append(item);
    }
    history.replaceState(null, "", "#" + encodeURIComponent(input.value));
  }

  input.addEventListener("input", show);
  regime.addEventListener("change", show);
  if (location.hash.length > 1) input.value = decodeURIComponent(location.hash.slice(1));
  show();
})();
