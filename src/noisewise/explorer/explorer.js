// Updates the page while one types. Without it the form still works: the button sends it.
"use strict";
const form = document.querySelector("form");
const result = document.getElementById("result");
const status = document.getElementById("status");
const epsilon = document.getElementById("epsilon");
const slider = document.getElementById("slider");
let waiting = null;
let timer = 0;

function query() {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, text] of [...fields]) if (form.elements[name].dataset?.first === text) fields.delete(name);
  return fields.toString();
}

function show() { // only the fields that the choices call for
  const source = form.querySelector("[name=source]:checked").value;
  const question = form.elements.question.value;
  for (const each of form.querySelectorAll("[data-source]")) each.hidden = each.dataset.source !== source;
  const price = form.elements.price.value;
  for (const each of form.querySelectorAll("[data-price]")) each.hidden = each.dataset.price !== price;
  for (const each of form.querySelectorAll("[data-questions]")) {
    each.hidden = !each.dataset.questions.split(" ").includes(question);
  }
}

function begin(source) { // bounds and granularity that suit the data that was picked
  const column = form.elements.column?.selectedOptions[0];
  for (const name of ["low", "high", "granularity"]) {
    const field = form.elements[name];
    if (source === "file" && column?.dataset[name]) field.value = column.dataset[name];
    if (source === "shape") field.value = field.dataset.first;
  }
}

function errors(found) {
  for (const place of form.querySelectorAll(".error")) {
    const text = found[place.dataset.field] || "";
    place.textContent = text;
    for (const each of form.querySelectorAll(`[name="${place.dataset.field}"]`)) {
      if (text) each.setAttribute("aria-invalid", "true"); else each.removeAttribute("aria-invalid");
    }
  }
}

async function update() {
  const text = query();
  if (waiting) waiting.abort();
  waiting = new AbortController();
  result.classList.add("waiting");
  result.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`answer?${text}`, { signal: waiting.signal, credentials: "same-origin" });
    const found = await answer.json();
    history.replaceState(null, "", text ? `?${text}` : "./");
    errors(found.errors);
    if (found.html) result.innerHTML = found.html;
    result.classList.toggle("stale", !found.html);
    status.textContent = found.status;
    result.classList.remove("waiting");
    result.removeAttribute("aria-busy");
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = "The explorer does not answer: was it stopped?";
  }
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(update, 120);
}

function slide() { // the slider says the logarithm of epsilon
  const power = Number(slider.value);
  epsilon.value = String(Number((10 ** power).toPrecision(2)));
  slider.setAttribute("aria-valuetext", `ε = ${epsilon.value}`);
}

function follow() {
  const value = Number(epsilon.value);
  if (value > 0) slider.value = String(Math.log10(value));
  slider.setAttribute("aria-valuetext", `ε = ${epsilon.value}`);
}

form.addEventListener("input", event => {
  if (event.target === slider) slide(); else if (event.target === epsilon) follow();
  if (event.target.name === "column") begin("file");
  if (event.target.name === "source") begin(event.target.value);
  show();
  soon();
});
form.addEventListener("submit", event => {
  event.preventDefault();
  update();
});
result.addEventListener("click", async event => {
  const button = event.target.closest("button[data-copy]");
  const set = event.target.closest("[data-set]");
  if (set) {
    event.preventDefault();
    form.elements[set.dataset.set].value = set.dataset.value;
    follow();
    await update();
    document.getElementById(set.dataset.set)?.focus();
  }
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent;
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = `Copied: ${button.dataset.what}`;
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
    status.textContent = "Selected: press Ctrl+C to copy";
  }
});
document.body.classList.add("live");
slider.closest(".field").hidden = false;
follow();
show();
