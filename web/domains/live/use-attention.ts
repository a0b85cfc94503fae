/** Whether somebody reads a list: the pointer is in it, or a row has the focus by keyboard. */
import { type FocusEvent, type PointerEvent, useState } from 'react';

export interface Attention {
  readonly isReading: boolean;
  /** Goes on as if nobody read, until the pointer or the focus comes back. */
  readonly release: () => void;
  /** For the element that the pointer may be in. */
  readonly pointer: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
  };
  /** For the element around the rows. */
  readonly focus: {
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

export function useAttention(): Attention {
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  return {
    isReading: isPointed || isFocused,
    release: () => {
      setIsPointed(false);
      setIsFocused(false);
    },
    pointer: {
      onPointerEnter: ({ pointerType }) => setIsPointed(pointerType === 'mouse'),
      onPointerLeave: () => setIsPointed(false),
    },
    focus: {
      // Not after a click: a user who clicks a row and moves the pointer away has finished reading.
      onFocus: ({ target }) => setIsFocused(target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setIsFocused(false);
      },
    },
  };
}
