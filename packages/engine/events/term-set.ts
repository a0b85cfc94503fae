/** Collects the search terms of events: everything that EventFilter may look for. Appending and rebuilding share it. */

import type { CountedRun } from './event-executions.ts';
import { type EventShape, searchTextsOf } from './event-shape.ts';
import type { Mentions } from './mentions.ts';
import {
  drawTerm,
  HAS_MENTIONS,
  HAS_SUBJECTS,
  HOLD_TERM,
  normaliseText,
  outcomeTerm,
  runTerm,
  subjectTerm,
  typeTerm,
} from './search-terms.ts';

export interface NamedEvent {
  readonly subjectIdentifier: string | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly cfRay: string | null;
}

export class TermSet {
  readonly #texts = new Set<string>();
  readonly #subjects = new Set<string>();
  /** Terms that are searched for as they are. */
  readonly #fixed = new Set<string>();

  addEvent(
    { subjectIdentifier, secondarySubjectIdentifiers, cfRay }: NamedEvent,
    { isHold, hold, balances, entity }: Mentions,
  ): void {
    if (isHold) this.#fixed.add(HOLD_TERM);
    if (hold !== null) this.#texts.add(hold);
    if (entity !== null) this.#texts.add(entity);
    for (const balance of balances) {
      this.#fixed.add(drawTerm(balance));
      this.#texts.add(balance);
    }
    if (subjectIdentifier !== null) this.#subjects.add(subjectIdentifier);
    for (const identifier of secondarySubjectIdentifiers) this.#subjects.add(identifier);
    if (cfRay !== null) this.#texts.add(cfRay);
  }

  addRuns(runs: readonly Pick<CountedRun, 'workflowId' | 'success'>[]): void {
    for (const { workflowId, success } of runs) {
      this.#fixed.add(runTerm(workflowId, false));
      if (!success) this.#fixed.add(runTerm(workflowId, true));
    }
  }

  addShape(shape: EventShape, featureSlugs: readonly string[]): void {
    this.#fixed.add(typeTerm(shape.type)).add(outcomeTerm(shape.outcome));
    for (const text of searchTextsOf(shape)) this.#texts.add(text);
    for (const slug of featureSlugs) this.#texts.add(slug);
  }

  /** All terms, normalised and separated by spaces. */
  get text(): string {
    let text = `${HAS_SUBJECTS} ${HAS_MENTIONS} `;
    for (const term of this.#fixed) text += `${term} `;
    for (const subject of this.#subjects) text += `${subjectTerm(subject)} ${normaliseText(subject)} `;
    for (const term of this.#texts) text += `${normaliseText(term)} `;
    return text;
  }
}
