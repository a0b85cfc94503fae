/** Theme setting: light, dark, or follow the device. */
import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Section } from '#web/ui/page/section.tsx';

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Appearance" description="Saved in this browser only." isSplit>
      <SegmentedControl
        aria-label="Theme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
      />
    </Section>
  );
}
