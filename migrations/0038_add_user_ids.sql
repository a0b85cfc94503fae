ALTER TABLE `provisioned_customer` ADD `user_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_customer_user_id` ON `provisioned_customer` (`environment_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `provisioned_customer_user_id_org` ON `provisioned_customer` (`org_id`,`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_customer` ADD `user_id` text;--> statement-breakpoint
CREATE INDEX `stripe_customer_user_id` ON `stripe_customer` (`org_id`,`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `user_id_key` text;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `user_ids_ready` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `user_ids_at` integer DEFAULT 0 NOT NULL;