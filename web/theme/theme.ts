/**
 * The Mantine theme: colour scales, typography, sizes, and component defaults that differ from Mantine's. Surfaces and
 * lines are custom properties in tokens.css, so both colour schemes use the same names.
 */
import {
  type ActionIconProps,
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
} from '@mantine/core';
import { amber, dark, gray, green, red, verdigris } from './colours.ts';

/** Delay before a tooltip opens. */
export const TOOLTIP_DELAY_MS = 700;

const control = { '--button-height': 'var(--control-height)', '--button-fz': '0.875rem' };

const overlay = { background: 'rgb(12 10 8 / 0.45)' };

export const theme = createTheme({
  primaryColor: 'verdigris',
  primaryShade: 6,
  colors: { verdigris, gray, dark, red, green, amber },
  white: '#ffffff',
  black: '#24211e',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, 'SF Mono', Menlo, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.35' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.3125rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  shadows: {
    xs: '0 1px 2px rgb(20 16 12 / 0.06)',
    sm: '0 1px 3px rgb(20 16 12 / 0.08), 0 1px 2px rgb(20 16 12 / 0.05)',
    md: '0 4px 16px -4px rgb(20 16 12 / 0.14), 0 2px 4px -1px rgb(20 16 12 / 0.06)',
    lg: '0 12px 32px -8px rgb(20 16 12 / 0.2), 0 4px 8px -4px rgb(20 16 12 / 0.08)',
    xl: '0 24px 56px -12px rgb(20 16 12 / 0.28)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      vars: (_theme: unknown, props: ButtonProps) => ({
        root:
          props.size === 'sm' || props.size === undefined ? { ...control, '--button-padding-x': '12px' } : {},
      }),
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 'md' },
      vars: (_theme: unknown, props: ActionIconProps) => ({
        root: props.size === 'md' ? { '--ai-size': 'var(--control-height)' } : {},
      }),
    },
    Input: {
      vars: () => ({
        wrapper: { '--input-height': 'var(--control-height)', '--input-fz': 'var(--input-font)' },
      }),
    },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password', tabIndex: 0 },
      },
    },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], withAsterisk: false },
    },
    Fieldset: {
      defaultProps: { variant: 'unstyled' },
      styles: {
        root: { minWidth: 0, margin: 0 },
        legend: { padding: 0, marginBottom: 5, fontSize: '0.8125rem', fontWeight: 500 },
      },
    },
    Loader: { defaultProps: { color: 'var(--accent)' } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm' },
      styles: { root: { textTransform: 'none', fontWeight: 500, letterSpacing: 0 } },
    },
    Divider: { defaultProps: { color: 'var(--line)' } },
    Drawer: {
      styles: {
        content: { background: 'var(--raised)', borderRight: '1px solid var(--line-strong)' },
        overlay,
      },
    },
    Tooltip: {
      defaultProps: { openDelay: TOOLTIP_DELAY_MS, withArrow: false },
      styles: {
        tooltip: {
          padding: '4px 8px',
          background: 'var(--tile-stone)',
          color: 'var(--canvas)',
          fontSize: '0.75rem',
        },
      },
    },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        transitionProps: { duration: 120 },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        // Toasts appear below the dialog, so that none covers its buttons.
        yOffset: 'clamp(5dvh, 88px, 11dvh)',
        shadow: 'xl',
        radius: 'lg',
        transitionProps: { duration: 150, transition: 'pop' },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: {
        content: { background: 'var(--raised)', border: '1px solid var(--line-strong)' },
        header: { background: 'var(--raised)' },
        title: { fontWeight: 600, fontSize: '1rem', lineHeight: 1.35 },
        overlay,
      },
    },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Tabs: { defaultProps: { keepMounted: false } },
  },
});

/** Maps Mantine's custom properties for surfaces, lines and text to the tokens. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const tokens = {
    '--mantine-color-body': 'var(--canvas)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-muted)',
    '--mantine-color-placeholder': 'var(--text-faint)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-error': 'var(--denied)',
    '--mantine-color-default': 'var(--control)',
    '--mantine-color-default-hover': 'var(--control-hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-red-light-color': 'var(--denied)',
    '--mantine-color-red-outline': 'var(--denied)',
    '--mantine-color-disabled': 'var(--disabled)',
    '--mantine-color-disabled-color': 'var(--text-faint)',
    '--mantine-color-disabled-border': 'var(--line)',
  };
  return { variables: {}, light: tokens, dark: tokens };
};
