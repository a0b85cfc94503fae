/** The events of appended groups, as the live view sends them. An event is read from its group only when a socket gets it. */
import type { EventGroup } from '#contracts/internal/event-batch';
import { readLine } from '#engine/events/event-line';
import { readShapes, textIndexOf } from '#engine/events/event-shape';
import { toStoredEvent } from '#engine/events/stored-event';
import { applyDelta } from '#engine/events/text-delta';

export interface LiveEvent {
  readonly envId: string;
  /** Reads the event, once. */
  readonly integrationId: string | null;
  /** JSON of the event; written once, for all sockets. */
  readonly text: string;
}

export function liveEventsOf(groups: readonly EventGroup[]): LiveEvent[] {
  return groups.flatMap((group) => {
    const shapes = readShapes(group.shapes);
    return group.lines.split('\n').map((line) => new GroupEvent(group, shapes, line));
  });
}

class GroupEvent implements LiveEvent {
  readonly #group: EventGroup;
  readonly #shapes: ReturnType<typeof readShapes>;
  readonly #line: string;
  #read: { readonly integrationId: string | null; readonly text: string } | null = null;

  constructor(group: EventGroup, shapes: ReturnType<typeof readShapes>, line: string) {
    this.#group = group;
    this.#shapes = shapes;
    this.#line = line;
  }

  get envId(): string {
    return this.#group.envId;
  }

  get integrationId(): string | null {
    return this.#event.integrationId;
  }

  get text(): string {
    return this.#event.text;
  }

  get #event() {
    if (this.#read === null) {
      const line = readLine(this.#line, this.#shapes);
      const index = textIndexOf(line.shape);
      const text = index === null ? undefined : this.#group.texts[index];
      const features = text === undefined ? undefined : JSON.parse(applyDelta(text, line.features ?? []));
      const event = toStoredEvent(this.#group.envId, line, features);
      this.#read = { integrationId: event.integrationId, text: JSON.stringify(event) };
    }
    return this.#read;
  }
}
