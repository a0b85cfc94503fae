/** The release's number: that of package.json and of the newest section of CHANGELOG.md (tests/rules/release.test.ts). Its MAJOR is the public API's. */
export const RELEASE = '1.3.0';
