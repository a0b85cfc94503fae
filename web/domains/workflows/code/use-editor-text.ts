/**
 * The code in the editor. The editor owns it, because it takes keys faster than a busy page renders: the page follows, and a text
 * reaches the editor only where somebody asks to replace the whole, never because it was rendered.
 */
import { type RefObject, useRef, useState } from 'react';
import type { EditorHandle } from './compilation.ts';

export interface EditorText {
  /** As last rendered: it may lack the newest keys. */
  readonly text: string;
  /** As it is now, for decisions that must not lose a key. */
  readonly read: () => string;
  /** Called by the editor after each edit. */
  readonly follow: (text: string) => void;
  /** Gives the editor another text. The user can undo it. */
  readonly replace: (text: string) => void;
}

/** @param first the text that the editor opens with. `editor` is null until the editor is loaded */
export function useEditorText(first: () => string, editor: RefObject<EditorHandle | null>): EditorText {
  const [text, setText] = useState(first);
  const latest = useRef(text);
  const follow = (next: string) => {
    latest.current = next;
    setText(next);
  };
  return {
    text,
    read: () => latest.current,
    follow,
    replace: (next) => {
      follow(next);
      editor.current?.replaceText(next);
    },
  };
}
