// Keeps the control page's list of events fresh: asks for the page again every two seconds while it is looked at, and
// takes the list out of it.
const everyMs = 2000;

async function refresh() {
  const list = document.getElementById('events');
  if (document.hidden || !list || list.contains(document.activeElement)) return;
  try {
    const response = await fetch(location.href);
    const fresh = new DOMParser()
      .parseFromString(await response.text(), 'text/html')
      .getElementById('events');
    if (fresh && fresh.innerHTML !== list.innerHTML) list.replaceWith(document.adoptNode(fresh));
  } catch {
    // The emulator is away; the next try may find it.
  }
}

setInterval(refresh, everyMs);
