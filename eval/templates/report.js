(function () {
  "use strict";
  var panel = document.getElementById("panel");
  var body = document.getElementById("panel-body");
  var opener = null;
  function close() {
    panel.hidden = true;
    document.documentElement.classList.remove("with-panel");
    if (opener) { opener.focus({ preventScroll: true }); opener = null; }
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest ? event.target.closest("a[href^='#law-']") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    var law = document.getElementById(link.getAttribute("href").slice(1));
    if (!law) { return; }
    event.preventDefault();
    var copy = law.cloneNode(true);
    copy.removeAttribute("id");
    body.replaceChildren(copy);
    if (!panel.contains(link)) { opener = link; }
    panel.hidden = false;
    document.documentElement.classList.add("with-panel");
    panel.scrollTop = 0;
    document.getElementById("panel-close").focus({ preventScroll: true });
  });
  document.getElementById("panel-close").addEventListener("click", close);
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && !panel.hidden) { close(); }
  });
  window.addEventListener("beforeprint", function () {
    close();
    document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  });
  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.open = true; }
    }
    if (target) { target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", reveal);
  if (location.hash) { reveal(); }
})();
