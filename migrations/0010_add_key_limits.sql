ALTER TABLE `organisation_billing` ADD `used_month_at` integer;--> statement-breakpoint
ALTER TABLE `organisation_billing` ADD `used_percent` integer;--> statement-breakpoint
ALTER TABLE `api_key` ADD `rate_limit` integer;--> statement-breakpoint
ALTER TABLE `api_key` ADD `allowance_share` integer;