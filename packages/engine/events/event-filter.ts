/**
 * Decides whether an event matches search criteria. The result for an event's shape is computed once per shape, so that
 * filtering a chunk costs little more than parsing it.
 */
import type { DrewFrom, EventOutcome, EventType } from '#contracts/console/events';
import { balanceIn, isDrawnFrom } from './drew-from.ts';
import { type CountedRun, readRuns } from './event-executions.ts';
import type { EventLine } from './event-line.ts';
import { type EventShape, searchTextsOf } from './event-shape.ts';
import { mentionsOf } from './mentions.ts';
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

/** Null or absent: no restriction. */
export interface FilterCriteria {
  /** As typed. Blank matches every event. */
  readonly text?: string | null;
  /** One of the event's identifiers, exactly. */
  readonly subject?: string | null;
  /** In place of `subject`: any of these. A stream that runs an earlier version reads `subject` alone. */
  readonly subjects?: readonly string[] | null;
  readonly type?: EventType | null;
  /** Only calls about holds; false: none of those. A stream that runs an earlier version takes no notice, nor of the next one. */
  readonly isHold?: boolean | null;
  /** Only calls that counted or held something. */
  readonly isCounted?: boolean | null;
  /** What usage was taken from. */
  readonly drewFrom?: DrewFrom | null;
  readonly outcome?: EventOutcome | null;
  /** A plan's slug. */
  readonly plan?: string | null;
  /** A feature's slug. */
  readonly feature?: string | null;
  /** Two capital letters. */
  readonly country?: string | null;
  /** The id of a workflow that ran. */
  readonly workflowId?: string | null;
  /** Ids of workflows, one of which ran. */
  readonly workflowIds?: readonly string[] | null;
  /** Only if a run of the workflow failed. */
  readonly isFailed?: boolean | null;
}

/** A term of the full-text index. */
export interface IndexTerm {
  readonly text: string;
  /** Terms that begin with the text are meant too. Slow in the index if many do. */
  readonly isPrefix: boolean;
}

const TYPES: readonly EventType[] = ['ac', 'cu', 'se'];

/** Events whose phrases and words are counted, and from which share of them on one is frequent. */
const MIN_SAMPLE = 30;
const MAX_SAMPLE = 300;
const FREQUENT_SHARE = 0.2;

interface ShapeMatch {
  readonly matches: boolean;
  /** The texts that the shape alone contains. */
  readonly contains: ReadonlySet<Sought>;
}

/** A phrase of the text, or a word that the index has for every matching event. */
interface Sought {
  readonly text: string;
  /** `word`: a whole one. `phrase`: may end within a word. `sign`: as it was typed, anywhere. */
  readonly kind: 'word' | 'phrase' | 'sign';
  /** How many of the sampled events contain it. */
  found: number;
}

export class EventFilter {
  readonly #criteria: FilterCriteria;
  readonly #subjects: readonly string[];
  readonly #phrases: readonly Sought[];
  readonly #words: readonly Sought[];
  /** A text of nothing but signs, such as `(`, which the index does not have. */
  readonly #signs: readonly Sought[];
  readonly #shapes = new Map<EventShape, ShapeMatch>();
  #sampled = 0;

  constructor(criteria: FilterCriteria) {
    const words = (criteria.text ?? '').split(/\s+/u).filter((word) => word !== '');
    this.#criteria = criteria;
    this.#subjects = criteria.subjects ?? (criteria.subject ? [criteria.subject] : []);
    const phrases = words.map(normaliseText).filter((phrase) => phrase !== '');
    this.#phrases = phrases.map((text) => ({ text, kind: 'phrase', found: 0 }));
    const signs = phrases.length === 0 ? words : [];
    this.#signs = signs.map((text) => ({ text, kind: 'sign', found: 0 }));
    this.#words = [...new Set([...phrases.flatMap(innerWords), ...wordsOf(criteria)])].map((text) => ({
      text,
      kind: 'word',
      found: 0,
    }));
  }

  /**
   * Every matching event contains all of these. Empty: no term is worth looking up. A phrase matches at the start of a word, so only its
   * last word is a prefix. That of a phrase which most events contain is left out: the index would read all of them, and narrow
   * down nothing. A whole word that most events contain is left out beside another term: the index would read it up to each entry of
   * the other. What is frequent is learned from the events that `matches` has seen.
   */
  get terms(): readonly IndexTerm[] {
    const rare = (all: readonly Sought[]) => all.filter((sought) => !this.#isFrequent(sought));
    const lastWords = new Set(rare(this.#phrases).map(({ text }) => text.slice(text.lastIndexOf(' ') + 1)));
    const words = lastWords.size + rare(this.#words).length === 0 ? this.#words : rare(this.#words);
    return [
      ...words.map(({ text }) => ({ text, isPrefix: false })),
      ...[...lastWords].map((text) => ({ text, isPrefix: true })),
    ];
  }

  /**
   * The full-text query that every matching event's chunk answers; null if no term is worth looking up.
   * @param environments terms, one of which the chunk has; empty: any
   */
  indexQuery(environments: readonly string[]): string | null {
    const query = this.terms.map(({ text, isPrefix }) => (isPrefix ? `"${text}"*` : `"${text}"`));
    const { workflowIds, isHold, drewFrom } = this.#criteria;
    if (isHold || drewFrom === 'held') query.push(orFormer(HOLD_TERM, ['cu']));
    const balance = drewFrom ? balanceIn(drewFrom) : null;
    if (balance !== null) query.push(orFormer(drawTerm(balance), ['ac', 'cu']));
    if (this.#subjects.length > 0) query.push(`(${this.#subjects.map(subjectQuery).join(' OR ')})`);
    if (workflowIds) query.push(anyOf(workflowIds.map((id) => runTerm(id, false))));
    if (query.length === 0) return null;
    if (environments.length > 0) query.push(anyOf(environments));
    return query.join(' AND ');
  }

  /** @param featureSlugs the slugs in the shape's features text; empty if the shape has none */
  matches(line: EventLine, featureSlugs: () => readonly string[]): boolean {
    const { workflowId, workflowIds, isHold, isCounted, drewFrom } = this.#criteria;
    if (isCounted && !line.response.includes('"accepted":true')) return false;
    if (workflowId && runsOf(readRuns(line.executions), this.#criteria).length === 0) return false;
    if (workflowIds && !readRuns(line.executions).some((run) => workflowIds.includes(run.workflowId)))
      return false;
    const { subjectIdentifier, secondarySubjectIdentifiers: others } = line;
    const isTheirs = (subject: string) => subject === subjectIdentifier || others.includes(subject);
    if (this.#subjects.length > 0 && !this.#subjects.some(isTheirs)) return false;
    if (typeof isHold === 'boolean' && mentionsOf(line).isHold !== isHold) return false;
    if (drewFrom && !isDrawnFrom(line, drewFrom)) return false;
    const inShape = this.#shapes.get(line.shape) ?? this.#matchShape(line.shape, featureSlugs());
    const own = () => {
      const { hold, balances, entity } = mentionsOf(line);
      const { subjectIdentifier: subject, secondarySubjectIdentifiers: names, cfRay } = line;
      return textsOf([subject, cfRay, ...names, hold, entity, ...balances]);
    };
    let fields: SearchedTexts | null = null;
    const contains = (sought: Sought) => {
      if (inShape.contains.has(sought)) return true;
      fields ??= own();
      return isIn(fields, sought);
    };
    if (this.#sampled < MAX_SAMPLE) {
      this.#sampled += 1;
      for (const sought of this.#sought) if (contains(sought)) sought.found += 1;
    }
    return inShape.matches && this.#phrases.every(contains) && this.#signs.every(contains);
  }

  get #sought(): readonly Sought[] {
    return [...this.#phrases, ...this.#words, ...this.#signs];
  }

  #isFrequent({ found }: Sought): boolean {
    return this.#sampled >= MIN_SAMPLE && found >= FREQUENT_SHARE * this.#sampled;
  }

  #matchShape(shape: EventShape, textSlugs: readonly string[]): ShapeMatch {
    const { type, outcome, plan, feature, country } = this.#criteria;
    const featureSlugs = [...(shape.featureSlugs ?? []), ...textSlugs];
    const fields = textsOf([...searchTextsOf(shape), ...featureSlugs]);
    const words = { ...fields, normal: [...fields.normal, typeTerm(shape.type), outcomeTerm(shape.outcome)] };
    const match = {
      matches:
        (!type || type === shape.type) &&
        (!outcome || outcome === shape.outcome) &&
        (!plan || shape.planSlugs.includes(plan)) &&
        (!feature || featureSlugs.includes(feature)) &&
        (!country || country === shape.country),
      contains: new Set(
        this.#sought.filter((sought) => isIn(sought.kind === 'word' ? words : fields, sought)),
      ),
    };
    this.#shapes.set(shape, match);
    return match;
  }
}

/** Chunks of earlier versions have the identifier's words only, and a type. */
function subjectQuery(subject: string): string {
  const words = normaliseText(subject)
    .split(' ')
    .filter((word) => word !== '');
  const former =
    words.length > 0 ? words.map((word) => `"${word}"`).join(' AND ') : anyOf(TYPES.map(typeTerm));
  return `("${subjectTerm(subject)}" OR ((${former}) NOT "${HAS_SUBJECTS}"))`;
}

/** Chunks of earlier versions have the type only. */
const orFormer = (term: string, types: readonly EventType[]) =>
  `("${term}" OR (${anyOf(types.map(typeTerm))} NOT "${HAS_MENTIONS}"))`;

function anyOf(terms: readonly string[]): string {
  return `(${terms.map((term) => `"${term}"`).join(' OR ')})`;
}

/** All words of a phrase but the last, which may be the start of a longer one. */
function innerWords(phrase: string): string[] {
  return phrase.split(' ').slice(0, -1);
}

/** The runs of the workflow that the criteria are about. */
export function runsOf<Run extends CountedRun>(
  runs: readonly Run[],
  { workflowId, isFailed }: Pick<FilterCriteria, 'workflowId' | 'isFailed'>,
): Run[] {
  return runs.filter((run) => run.workflowId === workflowId && !(isFailed && run.success));
}

/** The words that the index has for events of these criteria. */
function wordsOf({ type, outcome, plan, feature, country, workflowId, isFailed }: FilterCriteria): string[] {
  const words = [plan, feature, country].flatMap((text) => normaliseText(text ?? '').split(' '));
  if (type) words.push(typeTerm(type));
  if (outcome) words.push(outcomeTerm(outcome));
  if (workflowId) words.push(runTerm(workflowId, isFailed === true));
  return words.filter((word) => word !== '');
}

interface SearchedTexts {
  readonly raw: readonly string[];
  readonly normal: readonly string[];
}

function textsOf(fields: readonly (string | null)[]): SearchedTexts {
  const raw = fields.filter((field) => field !== null);
  return { raw, normal: raw.map(normaliseText) };
}

/** A phrase matches at the start of a word: `acme` matches `acme-analytics` and `the acme`, not `pacmen`. */
function isIn({ raw, normal }: SearchedTexts, { text, kind }: Sought): boolean {
  if (kind === 'sign') return raw.some((field) => field.includes(text));
  if (kind === 'word') return normal.some((field) => ` ${field} `.includes(` ${text} `));
  return normal.some((field) => field.startsWith(text) || field.includes(` ${text}`));
}
