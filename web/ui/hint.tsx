/**
 * A word on what is pointed at or focused, after the delay of all tooltips. Nothing is made for it until then: a page
 * can have thousands.
 */
import { Tooltip } from '@mantine/core';
import { cloneElement, type ReactElement, type Ref, useEffect, useRef, useState } from 'react';
import { TOOLTIP_DELAY_MS } from '../theme/theme.ts';

interface Hinted {
  readonly ref?: Ref<HTMLElement>;
  readonly onPointerEnter?: () => void;
  readonly onPointerLeave?: () => void;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
}

export interface HintProps {
  readonly label: string;
  /** One element that takes a ref; these handlers are the hint's. */
  readonly children: ReactElement<Hinted>;
}

export function Hint({ label, children }: HintProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const target = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
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
      {isUsed && <Tooltip target={target} opened={isOpen} label={label} />}
    </>
  );
}
