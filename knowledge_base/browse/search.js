"use strict";
// Every word of the query must begin a word of the entry; a match in the name counts most.
(function () {
  const shown = 60;
  const input = document.getElementById("query");
  const list = document.getElementById("results");
  const status = document.getElementById("found");
  const domains = document.getElementById("domains");
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  const words = (text) => fold(text).split(/[^a-z0-9]+/).filter(Boolean);
  const entries = window.ENTRIES.map(([id, name, about]) => ({
    id, name, inName: words(name), inAll: words(id + " " + name + " " + about),
  }));

  function score(entry, query) {
    let total = 0;
    for (const word of query) {
      if (entry.inName.includes(word)) total += 4;
      else if (entry.inName.some((other) => other.startsWith(word))) total += 3;
      else if (entry.inAll.includes(word)) total += 2;
      else if (entry.inAll.some((other) => other.startsWith(word))) total += 1;
      else return 0;
    }
    return total - entry.inName.length / 100;
  }

  function show() {
    const query = words(input.value);
    domains.hidden = query.length > 0;
    list.replaceChildren();
    status.textContent = "";
    if (!query.length) return;
    const found = entries.map((entry) => [score(entry, query), entry]).filter(([value]) => value > 0);
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
  if (location.hash.length > 1) input.value = decodeURIComponent(location.hash.slice(1));
  show();
})();
