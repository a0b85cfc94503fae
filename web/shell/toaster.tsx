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

/** Higher than the row of buttons at the foot of a tall dialog or an editor, in pixels. */
const aboveButtons = { offset: { bottom: 88, right: 24 }, mobileOffset: { bottom: 88 } };

export function Toasts() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => startToasts(toast), []);
  return <Toaster theme={scheme} {...aboveButtons} className="toasts" style={colours} />;
}
