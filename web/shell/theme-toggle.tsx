/** Switches between light and dark. The choice is stored. */
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Hint } from '#web/ui/labels/hint.tsx';

export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const next =
    useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark' ? 'light' : 'dark';
  const Icon = next === 'dark' ? IconMoon : IconSun;
  const label = `Switch to the ${next} theme`;
  return (
    <Hint label={label}>
      <ActionIcon aria-label={label} onClick={() => setColorScheme(next)}>
        <Icon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Hint>
  );
}
