// The joystick of practice: a knob in a ring, pulled by any pointer. It calls `steer` with east and north, each -1 to
// 1.

export function beginStick(ring, steer) {
  const knob = ring.firstElementChild;
  let pointer = null;

  const pull = (event) => {
    const box = ring.getBoundingClientRect();
    const radius = box.width / 2;
    let x = (event.clientX - box.left - radius) / radius;
    let y = (event.clientY - box.top - radius) / radius;
    const length = Math.hypot(x, y);
    if (length > 1) {
      x /= length;
      y /= length;
    }
    knob.style.transform = `translate(${x * radius * 0.6}px, ${y * radius * 0.6}px)`;
    // A thumb that rests in the middle does not walk.
    if (length < 0.15) steer(0, 0);
    else steer(x, -y);
  };
  const release = (event) => {
    if (event.pointerId !== pointer) return;
    pointer = null;
    knob.style.transform = "";
    steer(0, 0);
  };

  ring.addEventListener("pointerdown", (event) => {
    if (pointer !== null) return;
    pointer = event.pointerId;
    ring.setPointerCapture(pointer);
    pull(event);
  });
  ring.addEventListener("pointermove", (event) => event.pointerId === pointer && pull(event));
  ring.addEventListener("pointerup", release);
  ring.addEventListener("pointercancel", release);
}
