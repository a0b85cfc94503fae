/** The events of appended groups, as the live view sends them. An event is read from its group only when a socket gets it. */
import type { EventGroup } from '#contracts/internal/event-batch';
import { type EventLine, readLine } from '#engine/events/event-line';
import { type EventShape, readShapes } from '#engine/events/event-shape';
import { storedEventText } from '#engine/events/stored-event';
import { applyDelta } from '#engine/events/text-delta';

export interface LiveEvent {
  readonly envId: string;
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
  readonly #shapes: readonly EventShape[];
  readonly #unread: string;
  #read: EventLine | null = null;
  #written: string | null = null;

  constructor(group: EventGroup, shapes: readonly EventShape[], line: string) {
    this.#group = group;
    this.#shapes = shapes;
    this.#unread = line;
  }

  get envId(): string {
    return this.#group.envId;
  }

  get integrationId(): string | null {
    return this.#line.shape.integrationId;
  }

  get text(): string {
    this.#written ??= storedEventText(this.envId, this.#line, this.#features);
    return this.#written;
  }

  get #line(): EventLine {
    this.#read ??= readLine(this.#unread, this.#shapes);
    return this.#read;
  }

  /** As JSON; undefined if there are none. */
  get #features(): string | undefined {
    const { shape, features: delta } = this.#line;
    const index = shape.textIndex;
    const text = index === null ? undefined : this.#group.texts[index];
    return text === undefined || delta === null ? text : applyDelta(text, delta);
  }
}
