/**
 * The other masters. Start with {@link dev.kudu4j.master.group.MasterPeers}, which asks the
 * addresses of {@code --master_addresses} who lives there; {@link
 * dev.kudu4j.master.group.CatalogBootstrap} is how masters without a catalog agree on their first
 * group, {@link dev.kudu4j.master.group.CatalogGroup} what clients learn of it. The rules and what
 * a crash leaves: docs/design/master.md.
 *
 * <p>This package knows who the masters are. It does not know what is in the catalog.
 */
package dev.kudu4j.master.group;
