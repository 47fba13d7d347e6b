/**
 * `work`, one run at a time. What is asked for while it runs is served by one more run after it, however often it
 * is asked for: each request may have seen something that the run under way has missed.
 */
export function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      await work();
    } finally {
      running = undefined;
    }
  }

  return function request(): Promise<void> {
    if (!running) {
      running = run();
      return running;
    }
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return request();
      });
    return queued;
  };
}
