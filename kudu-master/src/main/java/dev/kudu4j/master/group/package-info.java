/**
 * The other masters. Start with {@link dev.kudu4j.master.group.MasterPeers}, which identifies the
 * masters at the addresses of {@code --master_addresses}. {@link
 * dev.kudu4j.master.group.CatalogBootstrap} lets masters without a catalog agree on the members of
 * its group; {@link dev.kudu4j.master.group.CatalogGroup} lists the masters for clients. The rules,
 * and the states after a crash, are in docs/design/master.md.
 *
 * <p>This package does not depend on the content of the catalog.
 */
package dev.kudu4j.master.group;
