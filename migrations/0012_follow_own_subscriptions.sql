ALTER TABLE `checkout_session` ADD `followed_at` integer;--> statement-breakpoint
ALTER TABLE `checkout_session` ADD `settled_at` integer;--> statement-breakpoint
CREATE INDEX `checkout_session_unsettled` ON `checkout_session` (`followed_at`) WHERE settled_at IS NULL;--> statement-breakpoint
ALTER TABLE `organisation_billing` ADD `past_due_since` integer;--> statement-breakpoint
ALTER TABLE `organisation_billing` ADD `followed_at` integer;