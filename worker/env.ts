/** The Worker's bindings and settings (settings.ts), which are read once per isolate. */
import type { ObjectBindings } from '#objects/stubs';
import type { Bindings } from '#runtime/bindings';
import { readSettings, type Settings, type SettingTexts } from './settings.ts';

export interface Env extends Bindings, ObjectBindings, SettingTexts {}

const settingsByEnv = new WeakMap<Env, Settings>();

/** @throws {SettingError} naming the variable */
export function settingsOf(env: Env): Settings {
  let settings = settingsByEnv.get(env);
  if (settings === undefined) {
    settings = readSettings(env);
    settingsByEnv.set(env, settings);
  }
  return settings;
}
