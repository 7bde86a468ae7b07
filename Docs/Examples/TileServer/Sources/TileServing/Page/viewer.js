// Shows the tiles. The world is a square of 1; a view is its centre (x, y) and a zoom, whose whole numbers
// are those of the tiles: at zoom z the world is 256 · 2^z pixels of the screen wide.
//
// The view is in the address, as #z/x/y, once it rests. For tests, body.dataset says how far the page is:
// `state` is "ready" once every tile in view is shown and nothing moves, `view` is the view of that frame.

const extent = 256, deepest = 36, kept = 400, zoomTime = 180;
const prefetches = 3;             // at a time: a browser has six connections to a server, and some are for the view
const canvas = document.getElementById("map");
const pen = canvas.getContext("2d", { alpha: false });
const statusLine = document.getElementById("status");

const view = { z: 2, x: 0.5, y: 0.5 };
const tiles = new Map();          // "z/x/y" → tile, the least recently used first
let animation = null;             // a zoom under way
let isDrawn = false;              // whether a frame is asked for
let addressTimer;                 // until the view has rested for a while
let address;                      // as it was last read or written

// MARK: The view

const worldExtent = () => extent * 2 ** view.z;
const level = () => Math.min(Math.max(Math.round(view.z), 0), deepest);

function change(z, x, y) {
  view.z = Math.min(Math.max(z, 0), deepest);
  view.x = Math.min(Math.max(x, 0), 1);
  view.y = Math.min(Math.max(y, 0), 1);
  update();
}

/** Zooms by steps, in a short while, to a whole zoom; the point of the screen (in its pixels) stays where it is. */
function zoom(steps, px = canvas.width / 2, py = canvas.height / 2) {
  const goal = Math.min(Math.max(Math.round((animation?.goal ?? view.z) + steps), 0), deepest);
  animation = { goal, from: view.z, start: performance.now(), px, py };
  update();
}

function animate(now) {
  const { goal, from, start, px, py } = animation;
  const part = Math.min((now - start) / zoomTime, 1);
  const dx = px - canvas.width / 2, dy = py - canvas.height / 2;
  const before = worldExtent(), world = [view.x + dx / before, view.y + dy / before];
  if (part === 1) animation = null;
  const z = part === 1 ? goal : from + (goal - from) * (1 - (1 - part) ** 3);
  const after = extent * 2 ** z;
  change(z, world[0] - dx / after, world[1] - dy / after);
}

/** The tiles of a zoom that a margin around the screen shows (in tiles), the nearest to the centre first. */
function tilesInView(z, margin = 0) {
  const count = 2 ** z, size = worldExtent() / count;
  const range = (centre, pixels) => [
    Math.max(Math.floor(centre * count - pixels / 2 / size) - margin, 0),
    Math.min(Math.ceil(centre * count + pixels / 2 / size) + margin, count) - 1,
  ];
  const [left, right] = range(view.x, canvas.width), [top, bottom] = range(view.y, canvas.height);
  const found = [];
  for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) {
    found.push({ z, x, y, distance: Math.hypot(x + 0.5 - view.x * count, y + 0.5 - view.y * count) });
  }
  return found.sort((a, b) => a.distance - b.distance);
}

// MARK: The tiles

const key = ({ z, x, y }) => `${z}/${x}/${y}`;

/** Asks for a tile. One that was prefetched is asked for once more: the server then draws it sooner. */
function fetchTile(place, isPrefetched) {
  const name = key(place), former = tiles.get(name);
  if (former && (former.image || former.isPrefetched <= isPrefetched)) return;
  const tile = { ...place, isPrefetched, former, stop: new AbortController() };
  tiles.set(name, tile);
  load(tile, name).catch((error) => {
    if (error.name === "AbortError" || tiles.get(name) !== tile) return;
    tile.failedAt = performance.now();
    setTimeout(() => { if (tiles.get(name) === tile) tiles.delete(name); update(); }, 1000);
  }).finally(() => {
    // Not sooner: the new request may have waited for a connection, and the server must always have one
    // waiting.
    former?.stop.abort();
    tile.former = null;
  });
}

/** Takes back the request for a tile, and the one that it stands for. */
function giveUp(tile) {
  tile.stop.abort();
  tile.former?.stop.abort();
}

async function load(tile, name) {
  const query = tile.isPrefetched ? "?prefetch=1" : "";
  const answer = await fetch(`/tiles/${name}.png${query}`, {
    signal: tile.stop.signal, priority: tile.isPrefetched ? "low" : "high",
  });
  if (!answer.ok) throw new Error(await answer.text());
  const image = await createImageBitmap(await answer.blob());
  if (tiles.get(name) !== tile) return image.close();
  tile.image = image;
  update();
}

/** Asks for those tiles that are not there, a few at a time: the next ones when these have come. */
function prefetch(places) {
  let free = prefetches - [...tiles.values()].filter((tile) => !tile.image && !tile.failedAt).length;
  for (const place of places) {
    if (free <= 0) break;
    if (tiles.has(key(place))) continue;
    fetchTile(place, true);
    free -= 1;
  }
}

/** Asks for what is in view, then for its neighbours, and cancels what has left. */
function fetchTiles() {
  const z = level(), visible = tilesInView(z), near = tilesInView(z, 1);
  const wanted = new Set(near.map(key));
  for (const [name, tile] of tiles) {
    if (!tile.image && !wanted.has(name)) { tiles.delete(name); giveUp(tile); }
  }
  if (!animation) {
    for (const place of visible) fetchTile(place, false);
    if (visible.every((place) => tiles.get(key(place))?.image)) prefetch(near);
  }
  for (const [name, tile] of tiles) {
    if (tiles.size <= kept) break;
    if (tile.image && !wanted.has(name)) { tiles.delete(name); tile.image.close(); }
  }
  return visible;
}

// MARK: Drawing

/** Draws what there is of the place of a tile: itself, or a part of one farther out, and on it those nearer in. */
function drawPlace(place) {
  const tile = tiles.get(key(place));
  if (tile?.image) return drawImage(tile, place, 0, 0, extent);
  for (let up = 1; up <= Math.min(place.z, 8); up++) {
    const size = extent / 2 ** up, x = Math.floor(place.x / 2 ** up), y = Math.floor(place.y / 2 ** up);
    const ancestor = tiles.get(key({ z: place.z - up, x, y }));
    if (!ancestor?.image) continue;
    drawImage(ancestor, place, (place.x - x * 2 ** up) * size, (place.y - y * 2 ** up) * size, size);
    break;
  }
  for (let child = 0; child < 4; child++) {
    const inner = { z: place.z + 1, x: 2 * place.x + (child & 1), y: 2 * place.y + (child >> 1) };
    const found = tiles.get(key(inner));
    if (found?.image) drawImage(found, inner, 0, 0, extent);
  }
}

/** Draws a square of a tile's image where a place is, from whole pixel to whole pixel, so that no seam shows. */
function drawImage(tile, place, sx, sy, size) {
  const pixels = worldExtent() / 2 ** place.z;
  const left = (x) => Math.round((x - view.x * 2 ** place.z) * pixels + canvas.width / 2);
  const top = (y) => Math.round((y - view.y * 2 ** place.z) * pixels + canvas.height / 2);
  const x = left(place.x), y = top(place.y);
  pen.drawImage(tile.image, sx, sy, size, size, x, y, left(place.x + 1) - x, top(place.y + 1) - y);
  tiles.delete(key(tile));        // to the end: used last
  tiles.set(key(tile), tile);
}

function frame(now) {
  isDrawn = false;
  if (animation) animate(now);
  const visible = fetchTiles();
  pen.fillStyle = "#0b1020";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  visible.forEach(drawPlace);
  const shown = visible.filter((place) => tiles.get(key(place))?.image).length;
  const pending = [...tiles.values()].filter((tile) => !tile.image && !tile.failedAt).length;
  statusLine.textContent = `zoom ${level()} · ${visible.length} tiles in view · ${pending} pending`;
  document.body.dataset.state = !animation && shown === visible.length ? "ready" : "loading";
  const place = [view.z, view.x, view.y].join("/");
  if (document.body.dataset.view !== place) {
    document.body.dataset.view = place;
    clearTimeout(addressTimer);
    addressTimer = setTimeout(writeAddress, 250);
  }
}

function update() {
  document.body.dataset.state = "loading";
  if (isDrawn) return;
  isDrawn = true;
  requestAnimationFrame(frame);
}

// MARK: Mouse, keys, address

const ratio = () => window.devicePixelRatio || 1;
const inPixels = (event) => [event.clientX * ratio(), event.clientY * ratio()];
let drag = null, wheel = 0;

// Of several fingers the first one drags.
canvas.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary) return;
  drag = inPixels(event);
  canvas.setPointerCapture(event.pointerId);
  canvas.classList.add("dragged");
});
canvas.addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary) return;
  const [x, y] = inPixels(event), [fromX, fromY] = drag, pixels = worldExtent();
  drag = [x, y];
  change(view.z, view.x - (x - fromX) / pixels, view.y - (y - fromY) / pixels);
});
for (const name of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(name, (event) => {
    if (!event.isPrimary) return;
    drag = null;
    canvas.classList.remove("dragged");
  });
}
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  wheel -= event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 : 1);
  const steps = Math.trunc(wheel / 100);   // a notch of a mouse; of a touchpad, some travel
  if (steps !== 0) { wheel -= steps * 100; zoom(steps, ...inPixels(event)); }
}, { passive: false });
canvas.addEventListener("dblclick", (event) => zoom(1, ...inPixels(event)));

const home = () => { animation = null; change(2, 0.5, 0.5); };
const keys = {
  "+": () => zoom(1), "=": () => zoom(1), "-": () => zoom(-1), "0": home,
  ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
};
const move = (dx, dy) => {
  const step = extent / 2 / worldExtent();
  change(view.z, view.x + dx * step, view.y + dy * step);
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
document.getElementById("in").onclick = () => zoom(1);
document.getElementById("out").onclick = () => zoom(-1);
document.getElementById("home").onclick = home;

/** For a view that rests: browsers limit how often the address may be written. */
function writeAddress() {
  const hash = `#${+view.z.toFixed(3)}/${view.x}/${view.y}`;
  // Another one is the user's, of whose event the page is about to hear.
  if (location.hash !== address || hash === address) return;
  history.replaceState(null, "", hash);
  address = hash;
}

function readAddress() {
  address = location.hash;
  const parts = address.slice(1).split("/").map(Number);
  if (parts.length === 3 && parts.every(Number.isFinite)) change(...parts);
}
addEventListener("hashchange", readAddress);

new ResizeObserver(() => {
  canvas.width = Math.round(canvas.clientWidth * ratio());
  canvas.height = Math.round(canvas.clientHeight * ratio());
  update();
}).observe(canvas);

readAddress();
update();
