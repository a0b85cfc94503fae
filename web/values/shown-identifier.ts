/** How a customer's identifier is shown: characters at its ends that show nothing appear as their code points. */
import { readIdentifier } from '#contracts/public/identifiers';

const UNSEEN_ENDS =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]+|[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]+$/gu;

/** The identifier itself if calls can send it. */
export function shownIdentifier(identifier: string): string {
  if (readIdentifier(identifier).ok) return identifier;
  return identifier.replace(UNSEEN_ENDS, (unseen) => [...unseen].map(codePointOf).join(''));
}

function codePointOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `[U+${code.padStart(4, '0')}]`;
}
