/**
 * Colour scales of the console: the accent (verdigris) and three semantic colours (allowed, warning, denied). Each has
 * ten steps of even lightness in OKLCH, as Mantine expects. White text on step 6 has a contrast of 4.5:1.
 */
import type { MantineColorsTuple } from '@mantine/core';

export const verdigris: MantineColorsTuple = [
  '#edfaf9',
  '#d6f2ef',
  '#b2e5e1',
  '#87d1cb',
  '#60bbb5',
  '#3fa49f',
  '#18807b',
  '#117370',
  '#0c5f5d',
  '#074140',
];

/** Warm greys for the light theme: paper to ink. */
export const gray: MantineColorsTuple = [
  '#fbfaf8',
  '#f5f3f0',
  '#eceae6',
  '#e1dfdb',
  '#d0cdc9',
  '#aeaaa5',
  '#837f7a',
  '#67625e',
  '#45423e',
  '#24211e',
];

/** Warm greys for the dark theme: text at 0, darkest background at 9. */
export const dark: MantineColorsTuple = [
  '#eae8e5',
  '#c0bdb9',
  '#a5a29d',
  '#7f7b77',
  '#45423f',
  '#353230',
  '#292725',
  '#201e1c',
  '#181715',
  '#11100f',
];

export const red: MantineColorsTuple = [
  '#fef2f1',
  '#fde2df',
  '#fdc9c4',
  '#faa39c',
  '#f17871',
  '#e55551',
  '#c93432',
  '#ba2b28',
  '#972622',
  '#6d1c19',
];

export const green: MantineColorsTuple = [
  '#eefbf0',
  '#d9f6dd',
  '#b3ebbd',
  '#89da9b',
  '#62c37a',
  '#42aa60',
  '#27844a',
  '#217541',
  '#1b5e36',
  '#144227',
];

export const amber: MantineColorsTuple = [
  '#fff8ea',
  '#ffeecb',
  '#ffdf9d',
  '#fcca6d',
  '#f4b443',
  '#e29a2c',
  '#b06c1e',
  '#a0601b',
  '#7e4917',
  '#5d3411',
];
