/** What a customer is called where one line names it: in lists, titles and links. */
import { showsSomething } from '#contracts/public/characters';
import { shownIdentifier } from './shown-identifier.ts';

export interface NamedCustomer {
  readonly identifier: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** The first of name, email and identifier that shows something. Stripe accepts any text as a name. */
export function customerTitle({ identifier, name, email }: NamedCustomer): string {
  return shownText(name) ?? shownText(email) ?? shownIdentifier(identifier);
}

/** Null if a reader sees nothing of it. */
export function shownText(text: string | null): string | null {
  return text !== null && showsSomething(text) ? text : null;
}
