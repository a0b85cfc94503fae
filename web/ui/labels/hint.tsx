/** A tooltip on hover and focus. It mounts only when needed, because a page can contain thousands, and its code loads then. */
import { cloneElement, type ReactElement, type Ref, useEffect, useRef, useState } from 'react';
import { TOOLTIP_DELAY_MS } from '#web/theme/theme.ts';
import { codeApart, LoadedApart, useOptionalCode } from '../loading/loaded-apart.tsx';

const hintTooltip = codeApart(async () => (await import('./hint-tooltip.tsx')).HintTooltip);

interface Hinted {
  readonly ref?: Ref<HTMLElement>;
  readonly onPointerEnter?: () => void;
  readonly onPointerLeave?: () => void;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
}

export interface HintProps {
  readonly label: string;
  /** A single element that takes a ref. Its pointer and focus handlers are replaced. */
  readonly children: ReactElement<Hinted>;
  readonly position?: 'top' | 'right';
  readonly isDisabled?: boolean;
}

export function Hint({ label, children, position = 'top', isDisabled = false }: HintProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const target = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Without a tooltip the page stays whole.
  const hasCode = useOptionalCode(hintTooltip, isUsed, () => setIsUsed(false));
  const open = () => {
    clearTimeout(timer.current);
    setIsUsed(true);
    timer.current = setTimeout(() => setIsOpen(true), TOOLTIP_DELAY_MS);
  };
  const close = () => {
    clearTimeout(timer.current);
    setIsOpen(false);
  };
  return (
    <>
      {cloneElement(children, {
        ref: target,
        onPointerEnter: open,
        onPointerLeave: close,
        onFocus: open,
        onBlur: close,
      })}
      {isUsed && hasCode && !isDisabled && (
        <LoadedApart code={hintTooltip} props={{ target, opened: isOpen, label, position }} />
      )}
    </>
  );
}
