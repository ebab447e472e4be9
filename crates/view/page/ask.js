// Questions to the server. The token comes in the fragment of the printed address, is kept for this tab,
// and leaves the address bar at once.

const KEPT = "estoc-token";

// A request that was not answered as asked.
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Takes the token out of the address bar. Returns the rest of the fragment.
export function takeToken() {
  const parts = location.hash.slice(1).split("&").filter(Boolean);
  const token = parts.find((part) => part.startsWith("token="));
  const rest = parts.filter((part) => !part.startsWith("token=")).join("&");
  if (token) {
    sessionStorage.setItem(KEPT, token.slice("token=".length));
    history.replaceState(null, "", location.pathname + (rest ? `#${rest}` : ""));
  }
  return rest;
}

// The number by which this tab names itself; the server paints one frame for each at a time.
export const client = [...crypto.getRandomValues(new Uint8Array(12))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Asks with a body, or without one; returns the response. Fails with Refused, or with TypeError where
// there is no server.
export async function ask(path, body, signal) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEPT) ?? ""}` };
  const options = { headers, signal, cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  const response = await fetch(path, options);
  if (!response.ok) {
    const told = await response.json().catch(() => null);
    throw new Refused(response.status, told?.error?.message ?? `status ${response.status}`);
  }
  return response;
}

// Asks, and returns the object of the answer.
export async function askObject(path, body, signal) {
  return (await ask(path, body, signal)).json();
}
