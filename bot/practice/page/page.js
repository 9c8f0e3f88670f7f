// The practice page: a client of three JSON APIs on its own address (Slack people, mail people, Docket's record).

import { drawBlocks, make, mrkdwn, whole } from "./blocks.js";

const TOKEN = takeToken();
const WAIT_S = 25;
const NO_ANSWER = "The practice workspace does not answer. Does the command that opened this page still run?";
const at = (id) => document.getElementById(id);

const world = { persons: new Map(), channels: new Map(), bot: "", mail: { people: [], samples: [], board: "" }, zone: "UTC" };
const unread = new Map();
/** Up to which event each place was read, by person and place; it outlives a reload of the page. */
const readUpTo = JSON.parse(sessionStorage.getItem("practice-read") ?? "{}");
let lastHappened = 0;
/** Who is chosen and where he looks: {kind: "slack", id, place} or {kind: "mail", address}. */
let me = null;
let drawn = { messages: new Map(), home: "", modal: "", inbox: "" };
let opener = null;

function takeToken() {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem("practice-token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("practice-token") ?? "";
}

// -- asking ------------------------------------------------------------------------------------------

class Refused extends Error {}

async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const request = { method, headers: { "X-Practice-Token": TOKEN }, cache: "no-store" };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const answer = await fetch(`/practice/${path}`, request);
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Refused(said.error ?? `The practice workspace refused (${answer.status}).`);
}

const read = async (path, body) => (await ask(path, body)).json();
const asPerson = (id, rest) => `api/persons/${encodeURIComponent(id)}/${rest}`;

function trouble(text) {
  at("trouble").textContent = text;
  at("trouble").hidden = !text;
}

/** Do something a person asked for; what goes wrong is said on top of the page. */
async function attempt(work) {
  trouble("");
  try {
    return await work();
  } catch (fault) {
    trouble(fault instanceof Refused ? fault.message : NO_ANSWER);
    return null;
  }
}

// -- words -------------------------------------------------------------------------------------------

const nameOf = (id) => world.persons.get(id)?.name ?? world.channels.get(id)?.name ?? id;
const bytes = (size) => (size < 1024 ? `${size} B` : `${Math.round(size / 1024)} kB`);
const inZone = (instant, form) => new Intl.DateTimeFormat("en-US", { timeZone: world.zone, ...form }).format(instant);
const when = (instant) => inZone(instant, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const spoken = (word) => word.replaceAll(/[-_]/g, " ");
const initials = (name) => name.split(/\s+/).map((part) => part[0]).slice(0, 2).join("");
const colour = (name) => [...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 6;

function face(name, isApp = false) {
  return make("span", { className: `face ${isApp ? "app" : `c${colour(name)}`}`, "aria-hidden": "true" }, isApp ? "D" : initials(name));
}

function channelName(channel, viewer) {
  if (!channel.direct) return channel.name;
  const other = channel.members.find((member) => member !== viewer) ?? viewer;
  return other === world.bot ? "Docket" : nameOf(other);
}

function announce(text) {
  at("news").textContent = text;
}

// -- people ------------------------------------------------------------------------------------------

async function loadWorld() {
  const [workspace, mail] = await Promise.all([read("api/workspace"), read("mail/people")]);
  world.bot = workspace.bot_user;
  world.persons = new Map(workspace.persons.map((one) => [one.id, one]));
  world.channels = new Map(workspace.channels.map((one) => [one.id, one]));
  world.mail = mail;
  document.body.dataset.mail = mail.own ? "own" : "story";
  drawPeople();
  return workspace.last_seq;
}

const channelsOf = (id) => [...world.channels.values()].filter((one) => one.members.includes(id) && !one.archived);
const directOf = (id) => channelsOf(id).find((one) => one.direct && one.members.includes(world.bot));
const unreadOf = (id, channel) => unread.get(`${id}/${channel}`) ?? 0;

function markRead(key) {
  unread.delete(key);
  readUpTo[key] = lastHappened;
  sessionStorage.setItem("practice-read", JSON.stringify(readUpTo));
}

function badge(count) {
  return count ? make("span", { className: "badge" }, String(count), make("span", { className: "hidden" }, " new")) : null;
}

function place(id, where, label, sign, count) {
  return make("li", {}, make("button", {
    type: "button", className: "place-link", "aria-current": me?.id === id && me.place === where ? "true" : undefined,
    "data-key": `${id}/${where}`, on: { click: () => choosePlace(id, where) },
  }, make("span", { className: sign === "private" ? "sign private" : "sign", "aria-hidden": "true" }, sign === "private" ? "" : sign), make("span", { className: "label" }, label), badge(count)));
}

function placesOf(id) {
  const channels = channelsOf(id).sort((one, other) => one.name.localeCompare(other.name));
  const direct = directOf(id);
  return make("ul", { className: "places", "aria-label": `What ${nameOf(id)} has open` },
    place(id, "home", "Home", "⌂", 0),
    place(id, direct?.id ?? "direct", "Docket", "●", direct ? unreadOf(id, direct.id) : 0),
    ...channels.filter((one) => !one.direct).map((one) => place(id, one.id, one.name, one.private ? "private" : "#", unreadOf(id, one.id))));
}

// What is shown already and stays the same is left standing: a button taken away under a finger loses its click.
function drawAnew(list, wanted) {
  const before = [...list.children];
  const shown = wanted.map((node) => {
    const index = before.findIndex((one) => one.isEqualNode(node));
    return index < 0 ? node : before.splice(index, 1)[0];
  });
  for (const gone of before) gone.remove();
  let next = list.firstElementChild;
  for (const node of shown) {
    if (node === next) next = next.nextElementSibling;
    else list.insertBefore(node, next);
  }
}

function personRow(key, name, part, chosen, count, choose, below) {
  return make("li", {}, make("button", {
    type: "button", className: "person", "aria-current": chosen ? "true" : undefined, "data-key": key, on: { click: choose },
  }, face(name), make("span", { className: "label" }, make("span", { className: "name" }, name), make("span", { className: "part" }, part)), badge(count)), below);
}

function drawPeople() {
  const focused = document.activeElement?.dataset?.key;
  if (me === null) at("guide").setAttribute("aria-current", "true");
  else at("guide").removeAttribute("aria-current");
  const slack = [...world.persons.values()].filter((one) => one.role !== "bot" && one.role !== "deactivated");
  drawAnew(at("slack-people"), slack.map((one) => {
    const chosen = me?.kind === "slack" && me.id === one.id;
    const count = chosen ? 0 : channelsOf(one.id).reduce((sum, channel) => sum + unreadOf(one.id, channel.id), 0);
    return personRow(one.id, one.name, one.title, chosen, count, () => choosePlace(one.id, directOf(one.id)?.id ?? "direct"), chosen ? placesOf(one.id) : null);
  }));
  drawAnew(at("mail-people"), world.mail.people.map((one) => {
    const chosen = me?.kind === "mail" && me.address === one.address;
    const count = chosen ? 0 : one.letters - (unread.get(`seen ${one.address}`) ?? 0);
    return personRow(one.address, one.name, one.part, chosen, count, () => chooseMail(one.address), null);
  }));
  if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function showPanel(panel) {
  document.body.dataset.panel = panel;
  for (const tab of document.querySelectorAll(".tabs button")) tab.setAttribute("aria-pressed", String(tab.dataset.panel === panel));
}

function clearScene() {
  drawn = { messages: new Map(), home: "", modal: "", inbox: "" };
  at("modal-place").replaceChildren();
  at("scene").inert = false;
  trouble("");
}

async function choosePlace(id, where) {
  me = { kind: "slack", id, place: where };
  markRead(`${id}/${where}`);
  clearScene();
  showPanel("view");
  drawPeople();
  drawSlackFrame();
  await attempt(async () => {
    if (where === "home") await ask(asPerson(id, "home"), { tab: "home" });
    await refresh();
  });
}

async function chooseMail(address) {
  me = { kind: "mail", address };
  clearScene();
  showPanel("view");
  drawMailFrame();
  await attempt(refresh);
}

const welcome = at("scene").firstElementChild;

/** Put this city's people into the guide: a button each that leads to him. */
function drawGuide() {
  const findSlack = (part) => [...world.persons.values()].find((one) => one.title === part && one.role !== "deactivated");
  const findMail = (part) => world.mail.people.find((one) => one.part === part);
  for (const one of welcome.querySelectorAll("[data-go]")) {
    const [kind, ...part] = one.dataset.go.split(" ");
    const person = kind === "slack" ? findSlack(part.join(" ")) : findMail(part.join(" "));
    if (!person) {
      // a city may have nobody of that part: the step is none of its own
      one.closest("li").hidden = kind === "slack";
      continue;
    }
    const go = () => (kind === "slack" ? choosePlace(person.id, directOf(person.id)?.id ?? "direct") : chooseMail(person.address));
    const button = make("button", { type: "button", className: "go", on: { click: go } }, person.name);
    // a part that has a word already is given a name; after a word of the sentence the name stands in brackets
    if (one.textContent) one.replaceChildren(button);
    else one.replaceChildren(" (", button, kind === "mail" ? `, ${person.address})` : ")");
  }
}

function showGuide() {
  me = null;
  clearScene();
  showPanel("view");
  drawPeople();
  at("place-title").textContent = "What this is";
  at("place-about").textContent = "";
  at("scene").replaceChildren(welcome);
}

// -- what a Slack person sees ------------------------------------------------------------------------

function drawSlackFrame() {
  const channel = world.channels.get(me.place);
  const title = me.place === "home" ? "Docket" : channel ? channelName(channel, me.id) : "Docket";
  at("place-title").textContent = channel && !channel.direct && !channel.private ? `# ${title}` : title;
  const about = me.place === "home" ? "Home" : channel?.direct === false ? channel.topic || channel.purpose || "Private channel" : "Messages";
  const part = world.persons.get(me.id)?.title;
  at("place-about").textContent = `${about}. You are ${nameOf(me.id)}${part ? `, ${part}` : ""}.`;
  const body = me.place === "home"
    ? make("div", { className: "home", id: "home", role: "region", "aria-label": "Home", tabIndex: 0 }, make("p", { className: "empty" }, "Docket is drawing this Home …"))
    : make("div", { className: "log", id: "log", role: "log", "aria-label": `Messages, ${title}`, "aria-live": "polite", tabIndex: 0 });
  at("scene").replaceChildren(body, writer(title));
}

function writer(title) {
  const field = make("input", { id: "say", type: "text", autocomplete: "off", placeholder: me.place === "home" ? "/ethics" : `Message ${title}, or /ethics` });
  const send = async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    await attempt(async () => {
      const command = /^(\/\S+)\s*(.*)$/s.exec(text);
      const channel = world.channels.has(me.place) ? me.place : "";
      if (command) tell(await read(asPerson(me.id, "command"), { command: command[1], text: command[2], channel }));
      else if (channel) await ask(asPerson(me.id, "say"), { channel, text });
      else trouble("Only commands can be written here. Choose a conversation to write a message.");
      await loadWorld();
      await refresh();
    });
  };
  return make("form", { className: "writer", on: { submit: send } },
    make("label", { className: "hidden", htmlFor: "say" }, "Write a message or a command"), field, make("button", { type: "submit", className: "slack-button primary" }, "Send"));
}

/** Say what Slack would say of an act that failed. */
function tell(outcome) {
  const failures = {
    timeout: "Slack: the app did not answer in time. Try again.",
    connection_failed: "Slack: the app is not connected.",
    bad_answer: "Slack: the app's answer was not understood.",
  };
  if (outcome.failure) trouble(failures[outcome.failure] ?? outcome.failure);
}

function context(where, blocks, values, fields) {
  const person = me.id;
  const text = JSON.stringify(blocks);
  // A card may be drawn anew, with new block ids, under the hand that clicks: they are sent where they tell two apart.
  const blockId = (block_id, action_id) => (text.split(`"action_id":${JSON.stringify(action_id)}`).length > 2 ? block_id : "");
  return {
    names: nameOf, values, fields,
    fill: (block_id, action_id, choice) => attempt(() => ask(asPerson(person, "fill"), { ...where, block_id: blockId(block_id, action_id), action_id, choice })),
    use: (block_id, action_id, choice, from) => attempt(async () => {
      opener = { node: from, within: where.ts ? `[data-ts="${where.ts}"]` : "#home", action: action_id };
      tell(await read(asPerson(person, "use"), { ...where, block_id: blockId(block_id, action_id), action_id, choice }));
      await refresh();
    }),
  };
}

async function refresh() {
  if (me === null) return;
  const asked = me;
  if (asked.kind === "mail") {
    await refreshMail(asked);
    return;
  }
  const views = await read(asPerson(asked.id, "views"));
  if (asked.place === "direct" && directOf(asked.id)) asked.place = directOf(asked.id).id;
  if (asked.place === "home") {
    const home = await read(asPerson(asked.id, "home"));
    if (me === asked) drawHome(home);
  } else if (asked.place !== "direct") {
    const messages = await read(asPerson(asked.id, `channels/${asked.place}/messages`));
    if (me === asked) await drawMessages(messages);
  }
  if (me === asked) drawModal(views.at(-1) ?? null);
}

function drawHome(home) {
  const mark = JSON.stringify(home);
  if (mark === drawn.home) return;
  drawn.home = mark;
  at("home").replaceChildren(...(home ? drawBlocks(home.body.blocks, context({ view: home.id }, home.body.blocks, home.values)) : [make("p", { className: "empty" }, "Docket is drawing this Home …")]));
}

async function drawMessages(messages) {
  const log = at("log");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80 || drawn.messages.size === 0;
  const wanted = new Set(messages.map((one) => one.ts));
  for (const [ts, one] of drawn.messages) {
    if (!wanted.has(ts)) { one.node.remove(); drawn.messages.delete(ts); }
  }
  for (const message of messages) {
    const mark = JSON.stringify(message);
    const before = drawn.messages.get(message.ts);
    if (before?.mark === mark) continue;
    const node = drawMessage(message);
    if (before) {
      const focused = before.node.contains(document.activeElement) ? document.activeElement.dataset.action : null;
      before.node.replaceWith(node);
      if (focused) node.querySelector(`[data-action="${CSS.escape(focused)}"]`)?.focus();
    } else log.append(node);
    drawn.messages.set(message.ts, { mark, node });
  }
  if (messages.length === 0) log.replaceChildren(make("p", { className: "empty" }, emptyWords()));
  else log.querySelector(":scope > .empty")?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function emptyWords() {
  const direct = world.channels.get(me.place)?.direct !== false;
  return direct ? `Nothing yet. Docket writes here when something waits for ${nameOf(me.id)}.` : "Nothing has been written here yet.";
}

function drawMessage(message) {
  const instant = new Date(Number.parseFloat(message.ts) * 1000);
  const name = message.by_app ? "Docket" : nameOf(message.author);
  const body = make("div", { className: "blocks" }, ...(message.blocks.length
    ? drawBlocks(message.blocks, context({ channel: message.channel, ts: message.ts }, message.blocks))
    : message.text ? [mrkdwn(message.text, nameOf)] : []));
  const head = make("p", { className: "who" }, make("span", { className: "name" }, name),
    message.by_app ? make("span", { className: "app-sign" }, "APP") : null,
    make("time", { dateTime: instant.toISOString() }, when(instant)),
    message.edited ? make("span", { className: "edited" }, "(edited)") : null);
  const only = message.only_for ? make("p", { className: "only" }, "Only visible to you") : null;
  const files = message.files.map((file) => drawFile(me.id, file));
  return make("article", { className: "message", "data-ts": message.ts }, face(name, message.by_app), make("div", { className: "body" }, only, head, body, ...files));
}

function drawFile(person, file) {
  const box = make("div", { className: "file" });
  attempt(async () => {
    const facts = await read(asPerson(person, `files/${encodeURIComponent(file)}/facts`));
    const path = asPerson(person, `files/${encodeURIComponent(file)}`);
    if (/\.(png|jpe?g)$/i.test(facts.name)) {
      const content = await (await ask(path)).blob();
      box.append(make("img", { src: URL.createObjectURL(content), alt: facts.title || facts.name }));
    } else box.append(fileButton(facts.name, facts.size, path));
  });
  return box;
}

function fileButton(name, size, path) {
  const open = () => attempt(async () => {
    const address = URL.createObjectURL(await (await ask(path)).blob());
    make("a", { href: address, target: "_blank", rel: "noopener" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
  return make("button", { type: "button", className: "file-button", on: { click: open } },
    make("span", { className: "file-sign", "aria-hidden": "true" }, name.toLowerCase().endsWith(".pdf") ? "PDF" : "FILE"), make("span", {}, name, make("small", {}, bytes(size))));
}

// -- modals ------------------------------------------------------------------------------------------

function drawModal(view) {
  const mark = view ? JSON.stringify([view.id, view.body]) : "";
  if (mark === drawn.modal) return;
  const wasOpen = drawn.modal !== "";
  drawn.modal = mark;
  at("scene").inert = view !== null;
  if (view === null) {
    at("modal-place").replaceChildren();
    if (wasOpen) whatOpened()?.focus();
    return;
  }
  const fields = [];
  const person = me.id;
  const blocks = drawBlocks(view.body.blocks, context({ view: view.id }, view.body.blocks, view.values, fields));
  const close = () => attempt(async () => {
    tell(await read(asPerson(person, "close"), { view: view.id }));
    await refresh();
  });
  const submit = async (event) => {
    event.preventDefault();
    for (const one of form.querySelectorAll("[data-wrong]")) one.textContent = "";
    for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    const pressed = form.querySelector("button[type=submit]");
    if (pressed.disabled) return;
    pressed.disabled = true;
    await attempt(async () => {
      for (const one of fields) await ask(asPerson(person, "fill"), { view: view.id, block_id: one.block, action_id: one.action, choice: one.read() });
      const outcome = await read(asPerson(person, "submit"), { view: view.id });
      tell(outcome);
      showErrors(form, outcome.errors);
      await refresh();
    });
    pressed.disabled = false;
  };
  const keyed = (event) => {
    if (event.key === "Escape") { event.preventDefault(); close(); } else if (event.key === "Tab") keepInside(form, event);
  };
  const form = make("form", { className: "modal", noValidate: true, tabIndex: -1, on: { submit } },
  make("header", {}, make("h3", { id: "modal-title" }, view.body.title.text), make("button", { type: "button", className: "cross", "aria-label": "Close", on: { click: close } }, "×")),
  make("div", { className: "modal-body" }, ...blocks),
  make("footer", {}, make("button", { type: "button", className: "slack-button", on: { click: close } }, view.body.close?.text ?? "Close"),
    view.body.submit ? make("button", { type: "submit", className: "slack-button primary" }, view.body.submit.text) : null));
  at("modal-place").replaceChildren(make("div", { className: "shade", role: "dialog", "aria-labelledby": "modal-title", on: { keydown: keyed } }, form));
  const first = form.querySelector(".modal-body :is(input, textarea, select, button)");
  (first ?? form).focus();
}

/** The button that opened the window, or what stands in its place where its card was drawn anew. */
function whatOpened() {
  if (opener === null || opener.node.isConnected) return opener?.node ?? at("say");
  return document.querySelector(`${opener.within} [data-action="${CSS.escape(opener.action)}"]`) ?? at("say");
}

function keepInside(form, event) {
  const stops = [...form.querySelectorAll("button, input, select, textarea, a[href]")].filter((one) => !one.disabled);
  const [first, last] = [stops[0], stops.at(-1)];
  if (event.shiftKey && (document.activeElement === first || document.activeElement === form)) { event.preventDefault(); last.focus(); }
  else if (!event.shiftKey && document.activeElement === last) { event.preventDefault(); first.focus(); }
}

function showErrors(form, errors) {
  let first = null;
  for (const [block, complaint] of Object.entries(errors)) {
    const box = form.querySelector(`[data-block="${CSS.escape(block)}"]`);
    const shown = box?.querySelector("[data-wrong]");
    if (!shown) continue;
    shown.textContent = complaint;
    box.querySelector("textarea, select, input:not([type=radio], [type=checkbox])")?.setAttribute("aria-invalid", "true");
    first ??= box.querySelector("input, textarea, select");
  }
  first?.focus();
}

// -- mail people -------------------------------------------------------------------------------------

function drawMailFrame() {
  const person = world.mail.people.find((one) => one.address === me.address);
  at("place-title").textContent = person?.name ?? me.address;
  at("place-about").textContent = `Mail. You are ${person?.name ?? me.address}${person ? `, ${person.part}` : ""}: ${me.address}`;
  const list = make("ul", { className: "letters", id: "letters", "aria-label": "Inbox" });
  const compose = make("button", { type: "button", className: "slack-button primary", on: { click: () => write({}) } }, "Write a message");
  at("scene").replaceChildren(make("div", { className: "mail" },
    make("section", { className: "inbox", "aria-label": "Inbox" }, make("div", { className: "row" }, make("h3", {}, "Inbox"), compose), list),
    make("section", { className: "reading", id: "reading", "aria-label": "Message", tabIndex: -1 }, make("p", { className: "empty" }, "Choose a letter, or write one."))));
}

async function refreshMail(asked) {
  const letters = await read(`mail/inbox/${encodeURIComponent(asked.address)}`);
  const person = world.mail.people.find((one) => one.address === asked.address);
  if (person) person.letters = letters.length;
  unread.set(`seen ${asked.address}`, letters.length);
  drawPeople();
  if (me !== asked) return;
  const mark = JSON.stringify([letters.length, asked.letter]);
  if (mark === drawn.inbox) return;
  drawn.inbox = mark;
  if (letters.length === 0) at("letters").replaceChildren(make("li", { className: "empty" }, "No letters yet."));
  else drawAnew(at("letters"), letters.toReversed().map((letter) => make("li", {}, make("button", {
    type: "button", "data-key": letter.place, "aria-current": asked.letter === letter.place ? "true" : undefined, on: { click: () => { asked.letter = letter.place; attempt(refresh); showLetter(letter); } },
  }, make("strong", {}, letter.subject || "(no subject)"), make("span", {}, letter.from.replace(/\s*<.*>$/, "").replaceAll('"', "")), make("time", { dateTime: letter.at }, when(new Date(letter.at)))))));
}

function showLetter(letter) {
  const path = (one) => `mail/inbox/${encodeURIComponent(me.address)}/${letter.place}/${one.part}`;
  const answer = () => write({ to: letter.reply_to, subject: letter.subject.startsWith("Re:") ? letter.subject : `Re: ${letter.subject}`, in_reply_to: letter.message_id });
  at("reading").replaceChildren(
    make("h3", {}, letter.subject || "(no subject)"),
    make("p", { className: "from" }, `From ${letter.from}, ${when(new Date(letter.at))}`),
    letter.attachments.length ? make("div", { className: "attachments" }, ...letter.attachments.map((one) => fileButton(one.name, one.size, path(one)))) : "",
    make("div", { className: "letter" }, letter.text),
    make("button", { type: "button", className: "slack-button", on: { click: answer } }, "Answer"));
  at("reading").focus();
}

function field(id, label, control) {
  control.id = id;
  return make("div", { className: "block input" }, make("label", { htmlFor: id }, label), control);
}

function write(draft) {
  const sender = me.address;
  const manager = world.mail.people.find((one) => one.part === "City Manager's mail");
  const to = make("input", { type: "text", required: true, value: draft.to ?? world.mail.board, autocomplete: "off" });
  const cc = make("input", { type: "text", value: draft.to ? "" : manager?.address ?? "", autocomplete: "off" });
  const subject = make("input", { type: "text", value: draft.subject ?? "Complaint" });
  const text = make("textarea", { rows: 5, value: draft.to ? "" : "Please find my complaint attached." });
  const paper = make("select", {}, make("option", { value: "" }, "No paper"), ...world.mail.samples.map((one) => make("option", { value: one.kind }, one.label)), make("option", { value: "own" }, "A PDF of your own …"));
  if (!draft.to) paper.value = "typed";
  const own = make("input", { type: "file", accept: "application/pdf" });
  const ownField = field("mail-file", "Your PDF", own);
  ownField.hidden = true;
  paper.addEventListener("change", () => { ownField.hidden = paper.value !== "own"; });
  const send = async (event) => {
    event.preventDefault();
    const pressed = form.querySelector("button[type=submit]");
    pressed.disabled = true;
    const sent = await attempt(async () => {
      const attachment = await attachmentOf(paper.value, own.files[0]);
      return read("mail/send", { from: sender, to: to.value, cc: cc.value, subject: subject.value, text: text.value, in_reply_to: draft.in_reply_to ?? "", attachment });
    });
    pressed.disabled = false;
    if (sent === null) return;
    at("reading").replaceChildren(make("p", { className: "empty" }, "Sent. What comes back appears in the inbox."));
    at("reading").focus();
    announce("Message sent.");
  };
  const form = make("form", { className: "compose", on: { submit: send } }, make("h3", {}, draft.to ? "Answer" : "New message"),
    field("mail-to", "To", to), field("mail-cc", "Copy to", cc), field("mail-subject", "Subject", subject), field("mail-text", "Text", text),
    field("mail-paper", "Attached paper", paper), ownField, make("div", { className: "row" }, make("button", { type: "submit", className: "slack-button primary" }, "Send")));
  at("reading").replaceChildren(form);
  (draft.to ? text : to).focus();
}

async function attachmentOf(kind, file) {
  if (!kind) return null;
  if (kind !== "own") return { sample: kind };
  if (!file) throw new Refused("Choose a PDF to attach, or no paper.");
  const content = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let start = 0; start < content.length; start += 0x8000) binary += String.fromCharCode(...content.subarray(start, start + 0x8000));
  return { name: file.name, content: btoa(binary) };
}

// -- the record --------------------------------------------------------------------------------------

let lastEntry = null;

function drawClock(clock) {
  world.zone = clock.zone;
  at("now").textContent = clock.in_words;
  at("now").dateTime = clock.at;
  if (clock.moves !== undefined) at("steps").hidden = !clock.moves;
  at("zone").textContent = `${clock.zone.replaceAll("_", " ")}, ${clock.open ? "city hall's working day" : "city hall is closed"}`;
}

function drawDates(cases) {
  at("dates").replaceChildren(...cases.map((one) => {
    const steps = one.steps.filter((step) => step.state !== "not-started" && step.state !== "moot");
    return make("section", { className: "case" }, make("h3", {}, one.number), make("ul", {}, ...steps.map((step) => make("li", { className: `step ${step.state} ${step.overdue ? "overdue" : ""}` },
      make("span", { className: "what" }, step.what, make("small", {}, ` ${step.clause}`)),
      make("span", { className: "state" }, step.overdue ? "overdue" : spoken(step.state)),
      step.last_day && step.state === "open" ? make("span", { className: "days" }, ...whole(`${step.act_by ? `act by ${step.act_by}, ` : ""}lawful until ${step.last_day}${step.provisional ? " (provisional)" : ""}`)) : null))));
  }));
  if (cases.length === 0) at("dates").replaceChildren(make("p", { className: "empty" }, "No case yet."));
}

function drawOutbox(rows) {
  at("outbox").replaceChildren(...(rows.length ? rows.map((one) => make("li", {}, make("strong", {}, spoken(one.kind)), ` ${one.case} `,
    make("small", {}, `${one.channel}, ${spoken(one.state)}${one.next_try_at ? `, not before ${when(new Date(one.next_try_at))}` : ""}`))) : [make("li", { className: "empty" }, "Nothing waits.")]));
}

function drawJournal(entries) {
  const before = lastEntry;
  at("journal").replaceChildren(...entries.toReversed().map((one) => make("li", { className: before !== null && one.seq > before ? "new" : "", "data-act": one.act },
    make("span", { className: "seq" }, String(one.seq)),
    make("span", { className: "act" }, `${spoken(one.act)}${one.refused ? ", refused" : ""}`, one.case ? make("span", { className: "number" }, one.case) : null),
    make("small", {}, `${when(new Date(one.at))} · ${one.by || "Docket"}${one.via ? `, ${one.via}` : ""}${one.clause ? ` · ${one.clause}` : ""} · ${one.hash.slice(0, 10)}`))));
  lastEntry = entries.at(-1)?.seq ?? 0;
}

async function followRecord() {
  let seen = "";
  for (;;) {
    try {
      const record = await read(`docket/record?wait_s=${WAIT_S}&seen=${encodeURIComponent(seen)}`);
      drawClock(record.clock);
      if (record.journal) {
        drawDates(record.cases);
        drawOutbox(record.outbox);
        drawJournal(record.journal);
        world.mail = await read("mail/people");
        drawPeople();
        if (me?.kind === "mail") await refreshMail(me);
      }
      seen = record.mark;
    } catch (fault) {
      await lost(fault);
    }
  }
}

async function lost(fault) {
  trouble(fault instanceof Refused ? fault.message : NO_ANSWER);
  await new Promise((settle) => { setTimeout(settle, 3000); });
}

// -- as it happens -----------------------------------------------------------------------------------

function noteNews(happened, aloud) {
  const { channel, author } = happened.detail;
  const posted = happened.kind === "message_posted" || happened.kind === "ephemeral_posted";
  const where = world.channels.get(channel);
  // what only one person of a channel sees answers what he just did there, and waits for nobody
  if (!posted || !where || (happened.kind === "ephemeral_posted" && !where.direct)) return;
  for (const member of where.members) {
    if (member === author || member === world.bot) continue;
    const key = `${member}/${channel}`;
    if (me?.kind === "slack" && me.id === member && me.place === channel) markRead(key);
    else if (happened.seq > (readUpTo[key] ?? 0)) unread.set(key, unreadOf(member, channel) + 1);
  }
  if (!aloud) return;
  const reader = where.members.find((member) => member !== author && member !== world.bot);
  announce(where.direct ? `New message for ${nameOf(reader)}.` : `New message in ${where.name}.`);
}

const CHANGES_PLACES = /^(channel_|member_|person_|message_posted|ephemeral_posted)/;
const DRAWN_AGAIN = /^(message_|ephemeral_|view_|home_published|member_|channel_|file_|interaction_failed)/;

async function followSlack(after) {
  for (;;) {
    try {
      const happened = await read(`api/events?after=${after}&wait_s=${WAIT_S}`);
      if (happened.length === 0) continue;
      const before = after > 0;
      after = happened.at(-1).seq;
      lastHappened = after;
      if (happened.some((one) => CHANGES_PLACES.test(one.kind))) {
        await loadWorld();
        happened.forEach((one) => noteNews(one, before));
        drawPeople();
      }
      if (me?.kind === "slack" && happened.some((one) => DRAWN_AGAIN.test(one.kind))) await refresh();
    } catch (fault) {
      if (fault instanceof Refused && me?.kind === "slack" && !world.channels.get(me.place)?.members.includes(me.id)) await choosePlace(me.id, "home");
      else await lost(fault);
    }
  }
}

for (const step of document.querySelectorAll("[data-step]")) {
  step.addEventListener("click", async () => {
    const all = document.querySelectorAll("[data-step]");
    all.forEach((one) => { one.disabled = true; });
    await attempt(async () => {
      const moved = await read(`docket/clock/${step.dataset.step}`, {});
      drawClock(moved.clock);
      announce(`It is now ${moved.clock.in_words}.`);
    });
    all.forEach((one) => { one.disabled = false; });
    step.focus();
  });
}
at("guide").addEventListener("click", showGuide);
for (const tab of document.querySelectorAll(".tabs button")) {
  tab.addEventListener("click", () => {
    showPanel(tab.dataset.panel);
    const modal = tab.dataset.panel === "view" ? at("modal-place").querySelector(".modal") : null;
    (modal ?? at(tab.dataset.panel)).focus({ preventScroll: true });
  });
}

await attempt(async () => {
  await loadWorld();
  drawGuide();
  followSlack(0);
  followRecord();
});
