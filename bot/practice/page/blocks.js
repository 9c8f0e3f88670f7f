// Draws Slack's Block Kit, as far as Docket uses it, into elements. Texts become text nodes, never markup.

/** Make an element. `props` are properties; names with a dash are attributes; `on` holds listeners. */
export function make(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (name.includes("-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

let counted = 0;
const newId = () => `e${(counted += 1)}`;

// -- mrkdwn ------------------------------------------------------------------------------------------

const unescaped = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const WHOLE = /(?<![\p{L}\p{N}-])((?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(?:\p{Lu}+-)?\d{4}-\d{2}(?:-\d{2}|\d+))(?![\p{L}\p{N}-])/u;

/** Give a text with its dates and case numbers kept on one line each: they are read as one word. */
export function whole(text) {
  return text.split(WHOLE).map((part, place) => (place % 2 ? make("span", { className: "whole" }, part) : part));
}

const SPANS = [
  [/```([^]+?)```/, (found) => make("pre", {}, unescaped(found[1]))],
  [/`([^`\n]+)`/, (found) => make("code", {}, unescaped(found[1]))],
  [/<([^<>\n]+)>/, (found, names) => reference(found[1], names)],
  [/(?<![\p{L}\p{N}*])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![\p{L}\p{N}*])/u, (found, names) => make("strong", {}, ...spans(found[1], names))],
  [/(?<![\p{L}\p{N}_])_(?!\s)([^_\n]+?)(?<!\s)_(?![\p{L}\p{N}_])/u, (found, names) => make("em", {}, ...spans(found[1], names))],
  [/(?<![\p{L}\p{N}~])~(?!\s)([^~\n]+?)(?<!\s)~(?![\p{L}\p{N}~])/u, (found, names) => make("s", {}, ...spans(found[1], names))],
  [WHOLE, (found) => make("span", { className: "whole" }, found[0])],
  [/(?<!\S):(warning|lock|calendar):(?!\S)/, (found) => make("span", { role: "img", "aria-label": found[1] }, { warning: "\u26a0\ufe0f", lock: "\u{1f512}", calendar: "\u{1f4c5}" }[found[1]])],
];

function reference(inside, names) {
  const [target, label] = inside.split("|", 2);
  if (target.startsWith("@")) return make("span", { className: "mention" }, `@${names(target.slice(1))}`);
  if (target.startsWith("#")) return make("span", { className: "mention" }, `#${names(target.slice(1))}`);
  if (target.startsWith("!")) return document.createTextNode(unescaped(label ?? `@${target.slice(1)}`));
  const shown = unescaped(label ?? target);
  const address = unescaped(target);
  if (!/^(https?:\/\/|mailto:)/.test(address)) return document.createTextNode(shown);
  return make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, shown);
}

function spans(text, names) {
  const made = [];
  let rest = text;
  while (rest) {
    let first = null;
    for (const [pattern, draw] of SPANS) {
      const found = pattern.exec(rest);
      if (found && (first === null || found.index < first.found.index)) first = { found, draw };
    }
    if (first === null) break;
    if (first.found.index > 0) made.push(document.createTextNode(unescaped(rest.slice(0, first.found.index))));
    made.push(first.draw(first.found, names));
    rest = rest.slice(first.found.index + first.found[0].length);
  }
  if (rest) made.push(document.createTextNode(unescaped(rest)));
  return made;
}

/** Draw a text in Slack's own marking: bold, italic, code, links, lists and quotes. */
export function mrkdwn(text, names) {
  const drawn = make("div", { className: "mrkdwn" });
  let list = null;
  for (const line of text.split(/(```[^]+?```)/).flatMap((piece) => (piece.startsWith("```") ? [piece] : piece.split("\n")))) {
    const item = /^\s*(?:[•◦-]|\d+\.)\s+(.*)$/.exec(line);
    if (item && /^\s*[•◦-]/.test(line)) {
      if (list === null) drawn.append((list = make("ul")));
      list.append(make("li", {}, ...spans(item[1], names)));
      continue;
    }
    list = null;
    if (line.startsWith("&gt;")) drawn.append(make("blockquote", {}, ...spans(line.slice(4).trim(), names)));
    else if (line.startsWith("```")) drawn.append(...spans(line, names));
    else drawn.append(make("p", {}, ...spans(line, names)));
  }
  return drawn;
}

function textOf(part, names) {
  return part.type === "mrkdwn" ? mrkdwn(part.text, names) : make("div", { className: "plain" }, ...whole(part.text));
}

// -- elements ----------------------------------------------------------------------------------------

function button(block, element, ctx) {
  const pressed = async () => {
    if (element.confirm && !(await asked(element.confirm))) return;
    if (element.url) window.open(element.url, "_blank", "noopener");
    made.disabled = true;
    try {
      await ctx.use(block.block_id, element.action_id, null, made);
    } finally {
      made.disabled = false;
      if (document.activeElement === document.body) made.focus();
    }
  };
  const made = make("button", {
    type: "button",
    className: `slack-button ${element.style ?? ""}`,
    on: { click: pressed },
    "aria-label": element.accessibility_label,
    "data-action": element.action_id,
  }, element.text.text);
  return made;
}

function asked(confirm) {
  return new Promise((settle) => {
    const title = newId();
    const box = make("dialog", { className: "confirm", "aria-labelledby": title });
    const end = (answer) => { box.close(); box.remove(); settle(answer); };
    const style = confirm.style === "danger" ? "danger" : "primary";
    box.append(
      make("h3", { id: title }, confirm.title.text),
      textOf(confirm.text, String),
      make("div", { className: "row" },
        make("button", { type: "button", className: "slack-button", on: { click: () => end(false) } }, confirm.deny.text),
        make("button", { type: "button", className: `slack-button ${style}`, on: { click: () => end(true) } }, confirm.confirm.text)),
    );
    box.addEventListener("cancel", (event) => { event.preventDefault(); end(false); });
    document.body.append(box);
    box.showModal();
  });
}

const optionValue = (option) => option?.value ?? null;

/** What each kind of element holds, read from `state.values`. */
function heldOf(element, held) {
  const value = held ?? {};
  switch (element.type) {
    case "static_select": case "external_select": case "radio_buttons":
      return optionValue(value.selected_option ?? (held ? null : element.initial_option));
    case "checkboxes": case "multi_static_select": case "multi_external_select":
      return (value.selected_options ?? (held ? [] : element.initial_options) ?? []).map(optionValue);
    case "datepicker":
      return value.selected_date ?? (held ? null : element.initial_date) ?? null;
    case "timepicker":
      return value.selected_time ?? (held ? null : element.initial_time) ?? null;
    default:
      return value.value ?? (held ? "" : element.initial_value) ?? "";
  }
}

const offered = (element) => element.options ?? (element.option_groups ?? []).flatMap((group) => group.options);

function typed(element, value, ids, changed) {
  const long = element.type === "plain_text_input" && element.multiline;
  const kinds = { email_text_input: "email", url_text_input: "url", number_input: "number", datepicker: "date", timepicker: "time" };
  const control = make(long ? "textarea" : "input", {
    id: ids.control, value: value ?? "", rows: long ? 4 : undefined, "aria-describedby": ids.about,
    placeholder: element.placeholder?.text ?? "", on: { change: () => changed(read()) },
  });
  if (!long) control.type = kinds[element.type] ?? "text";
  if (element.max_length) control.maxLength = element.max_length;
  const read = () => (element.type === "datepicker" || element.type === "timepicker" ? control.value || null : control.value);
  return { node: control, read };
}

function menu(element, value, ids, changed) {
  const several = element.type.startsWith("multi_");
  const control = make("select", { id: ids.control, multiple: several, "aria-describedby": ids.about, on: { change: () => changed(read()) } });
  if (!several) control.append(make("option", { value: "" }, element.placeholder?.text ?? "Choose"));
  for (const option of offered(element)) {
    const chosen = several ? value.includes(option.value) : option.value === value;
    control.append(make("option", { value: option.value, selected: chosen }, option.text.text));
  }
  const read = () => (several ? [...control.selectedOptions].map((one) => one.value) : control.value || null);
  return { node: control, read };
}

function choices(element, value, ids, changed) {
  const several = element.type === "checkboxes";
  const boxes = [];
  const group = make("div", { className: "choices" });
  for (const option of offered(element)) {
    const box = make("input", {
      type: several ? "checkbox" : "radio", name: ids.control, value: option.value, "aria-describedby": ids.about,
      checked: several ? value.includes(option.value) : option.value === value, on: { change: () => changed(read()) },
    });
    boxes.push(box);
    const says = make("span", {}, option.text.text);
    if (option.description) says.append(make("small", {}, option.description.text));
    group.append(make("label", {}, box, says));
  }
  const read = () => {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    return several ? chosen : chosen[0] ?? null;
  };
  return { node: group, read };
}

function control(element, value, ids, changed) {
  switch (element.type) {
    case "radio_buttons": case "checkboxes": return choices(element, value, ids, changed);
    case "static_select": case "multi_static_select": return menu(element, value, ids, changed);
    case "plain_text_input": case "email_text_input": case "url_text_input": case "number_input":
    case "datepicker": case "timepicker": return typed(element, value, ids, changed);
    default: return { node: make("p", { className: "unknown" }, `(${element.type} is not drawn here)`), read: () => null };
  }
}

/** An element that stands in a row or beside a section: it reports at once. */
function loose(block, element, ctx) {
  if (element.type === "button") return button(block, element, ctx);
  if (element.type === "image") return picture(element);
  const held = ctx.values?.[block.block_id]?.[element.action_id];
  const ids = { control: newId() };
  const made = control(element, heldOf(element, held), ids, (choice) => ctx.use(block.block_id, element.action_id, choice, made.node));
  const label = element.placeholder?.text ?? "Choose";
  if (made.node.matches("input, select, textarea")) made.node.setAttribute("aria-label", label);
  return made.node;
}

function picture(element) {
  // Nothing is fetched from outside this machine; a picture elsewhere is told by its words alone.
  return make("span", { className: "picture", role: "img", "aria-label": element.alt_text }, element.alt_text);
}

// -- blocks ------------------------------------------------------------------------------------------

function input(block, ctx) {
  const element = block.element;
  const ids = { control: newId(), about: newId() };
  const held = ctx.values?.[block.block_id]?.[element.action_id];
  const changed = (choice) => (block.dispatch_action
    ? ctx.use(block.block_id, element.action_id, choice, made.node)
    : ctx.fill(block.block_id, element.action_id, choice));
  const made = control(element, heldOf(element, held), ids, changed);
  ctx.fields?.push({ block: block.block_id, action: element.action_id, read: made.read });
  const about = make("div", { id: ids.about, className: "about" });
  if (block.hint) about.append(make("p", { className: "hint" }, block.hint.text));
  const wrong = make("p", { className: "wrong", "data-wrong": block.block_id });
  about.append(wrong);
  const label = [block.label.text, block.optional ? make("span", { className: "optional" }, " (optional)") : null];
  if (made.node.classList.contains("choices")) {
    return make("fieldset", { className: "block input", "data-block": block.block_id }, make("legend", {}, ...label.filter(Boolean)), made.node, about);
  }
  return make("div", { className: "block input", "data-block": block.block_id },
    make("label", { htmlFor: ids.control }, ...label.filter(Boolean)), made.node, about);
}

function section(block, ctx) {
  const drawn = make("div", { className: "block section" });
  const words = make("div", { className: "words" });
  if (block.text) words.append(textOf(block.text, ctx.names));
  if (block.fields) words.append(make("div", { className: "fields" }, ...block.fields.map((one) => textOf(one, ctx.names))));
  drawn.append(words);
  if (block.accessory) drawn.append(loose(block, block.accessory, ctx));
  return drawn;
}

/** Draw blocks. `ctx` gives `names(id)`, `values`, `use`, `fill`, and gathers `fields`. */
export function drawBlocks(blocks, ctx) {
  return blocks.map((block) => {
    switch (block.type) {
      case "header": return make("h3", { className: "block header" }, block.text.text);
      case "section": return section(block, ctx);
      case "divider": return make("hr", { className: "block" });
      case "context": return make("div", { className: "block context" },
        ...block.elements.map((one) => (one.type === "image" ? picture(one) : textOf(one, ctx.names))));
      case "actions": return make("div", { className: "block actions" }, ...block.elements.map((one) => loose(block, one, ctx)));
      case "input": return input(block, ctx);
      case "image": return make("div", { className: "block" }, picture(block));
      default: return make("p", { className: "block unknown" }, `(${block.type} is not drawn here)`);
    }
  });
}
