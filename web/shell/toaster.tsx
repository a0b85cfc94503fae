/** Where toasts appear, in the console's colours. */
import { useComputedColorScheme } from '@mantine/core';
import { type CSSProperties, useEffect } from 'react';
import { Toaster, toast } from 'sonner';
import { startToasts } from '#web/toast.ts';

/** Sonner's custom properties. */
const colours = {
  '--normal-bg': 'var(--raised)',
  '--normal-border': 'var(--line-strong)',
  '--normal-text': 'var(--text)',
  '--border-radius': '8px',
} as CSSProperties;

/** Never on a row of buttons: see theme/global.css. */
const besideButtons = {
  offset: { bottom: 'var(--toast-bottom)', right: 24 },
  mobileOffset: { bottom: 'var(--toast-bottom)' },
};

export function Toasts() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => startToasts(toast), []);
  return (
    // Sonner remembers where the focus came from, and gives it back as soon as Tab leaves a toast: the next Tab would lead to it again.
    <div onFocusCapture={(event) => event.stopPropagation()}>
      <Toaster theme={scheme} {...besideButtons} className="toasts" style={colours} />
    </div>
  );
}
