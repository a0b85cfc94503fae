/**
 * The forms on the page that may have unsaved input. React Router asks only one blocker, so the forms register here, and
 * whatever would close them asks about all of them at once.
 */
import type { Location } from 'react-router';

export interface GuardedForm {
  /** Called at the moment of leaving. */
  readonly isDirty: () => boolean;
  /** What the form belongs to: a navigation to a location with another one closes it. */
  readonly placeOf: (location: Location) => string;
}

interface Question {
  readonly answer: (isLeaving: boolean) => void;
}

/** In the order in which they appeared. */
const forms = new Set<GuardedForm>();
let question: Question | null = null;
const watchers = new Set<() => void>();

/** @returns ends the registration */
export function guardForm(form: GuardedForm): () => void {
  forms.add(form);
  notify();
  return () => {
    forms.delete(form);
    if (forms.size === 0) answerQuestion(true);
    notify();
  };
}

/** Whether unsaved input exists on the page. */
export function hasUnsaved(): boolean {
  return [...forms].some(({ isDirty }) => isDirty());
}

/** Whether a navigation loses unsaved input. */
export function losesUnsaved(current: Location, next: Location): boolean {
  return [...forms].some(({ isDirty, placeOf }) => placeOf(current) !== placeOf(next) && isDirty());
}

/** Forgets all unsaved input, so the next navigation passes. For what ends the page, such as a log-out. */
export function discardUnsaved(): void {
  forms.clear();
  notify();
}

/** Asks the user, if there is unsaved input. @returns false to stay */
export async function mayLeave(): Promise<boolean> {
  if (!hasUnsaved()) return true;
  answerQuestion(false);
  return new Promise((resolve) => {
    question = { answer: resolve };
    notify();
  });
}

/** Answers the question of `mayLeave`, if it is open. */
export function answerQuestion(isLeaving: boolean): void {
  const open = question;
  question = null;
  notify();
  open?.answer(isLeaving);
}

/** Whether `mayLeave` waits for an answer. */
export const isAsked = (): boolean => question !== null;

/** The form that shows the question: the one that appeared first. */
export function isAsking(form: GuardedForm): boolean {
  const [first] = forms;
  return first === form;
}

/** `listener` runs after every change. @returns ends it */
export function watchForms(listener: () => void): () => void {
  watchers.add(listener);
  return () => void watchers.delete(listener);
}

function notify(): void {
  for (const watcher of watchers) watcher();
}
