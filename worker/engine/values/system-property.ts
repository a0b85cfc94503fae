/** The property that every feature has (DESIGN 4.3). Adding a feature to a plan configures it true. */
export const SYSTEM_PROPERTY = {
  key: 'enabled',
  name: 'Enabled',
  description: 'Whether the feature is available at all.',
  type: 'boolean',
  value: false,
  bounds: null,
  conflictResolution: 'higher',
  isSystem: true,
} as const;

/** What a plan sets the system property to when a feature is added to it. */
export const SYSTEM_PROPERTY_PLAN_VALUE = true;
