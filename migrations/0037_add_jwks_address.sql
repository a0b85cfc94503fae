ALTER TABLE `jwt_integration` ADD `key_address` text;--> statement-breakpoint
ALTER TABLE `jwt_integration` ADD `keys_fetched_at` integer;--> statement-breakpoint
ALTER TABLE `jwt_integration` ADD `keys_tried_at` integer;--> statement-breakpoint
ALTER TABLE `jwt_integration` ADD `keys_problem` text;--> statement-breakpoint
CREATE INDEX `jwt_integration_keys_due` ON `jwt_integration` (`keys_tried_at`) WHERE key_address IS NOT NULL;