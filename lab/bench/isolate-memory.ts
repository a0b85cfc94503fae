// Memory of a Worker's isolate including garbage, read through its inspector. The process's memory would include the local
// platform's own bookkeeping.

/** Connects to the isolate's inspector. The caller closes it. */
export class IsolateMemory {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    };
  }

  static async open(inspectorPort: number): Promise<IsolateMemory> {
    const response = await fetch(`http://127.0.0.1:${inspectorPort}/json`);
    const targets = (await response.json()) as { id: string; webSocketDebuggerUrl: string }[];
    const target = targets.find(({ id }) => id.startsWith('core:user:'));
    if (target === undefined) throw new Error('There is no isolate to look into');
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error('The inspector does not answer'));
    await promise;
    return new IsolateMemory(socket);
  }

  /** Megabytes in use. */
  async read(): Promise<number> {
    const { usedSize } = (await this.#send('Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize / 1024 / 1024;
  }

  /**
   * Megabytes in use after garbage collection.
   * @param url of the Worker: an idle isolate answers its inspector when it is called next
   */
  async readLive(url: string): Promise<number> {
    const calls = setInterval(() => void fetch(url).then((response) => response.text()), 100);
    try {
      await this.#send('HeapProfiler.collectGarbage');
      return await this.read();
    } finally {
      clearInterval(calls);
    }
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method }));
    return promise;
  }
}
