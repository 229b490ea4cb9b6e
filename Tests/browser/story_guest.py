"""A guest of stories who has no page: asks over a connection of their own, by the connection of somebody's window."""

ASK = """
async ([nickname, requests]) => {
  const socket = new WebSocket(`ws://${location.host}/v1/play`, "madang.v1.json");
  await new Promise((resolve) => (socket.onopen = resolve));
  let asked = 0;
  // Notifications come between, of what a post has earned.
  const ask = (kind, body) => new Promise((resolve) => {
    const id = ++asked;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.replyTo === id) resolve(message);
    };
    socket.send(JSON.stringify({ id, [kind]: body }));
  });
  await ask("hello", { nickname, deviceSecret: `the secret of ${nickname}, a guest of these tests` });
  const answers = [];
  for (const [kind, body] of requests) answers.push(await ask(kind, body));
  socket.close();
  return answers;
}
"""


def ask_as(window, nickname, *requests):
    """The server's answers to requests of a guest, each a kind and a body."""
    return window.page.evaluate(ASK, [nickname, list(requests)])


def write_as(window, nickname, *posts):
    """Writes posts as a guest; returns their identifiers, or the codes of errors."""
    answers = ask_as(window, nickname, *(["writePost", post] for post in posts))
    return [answer["post"]["postId"] if "post" in answer else answer["error"]["code"] for answer in answers]
