/** The choice of theme: light, dark, or the device's own. */
import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Section } from '../../ui/section.tsx';

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Appearance" description="Kept on this device.">
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
