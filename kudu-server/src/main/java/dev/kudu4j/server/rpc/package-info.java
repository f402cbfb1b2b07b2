/**
 * The services that masters and tablet servers share: {@link dev.kudu4j.server.rpc.GenericService}
 * for the process, {@link dev.kudu4j.server.rpc.ConsensusService} for its replicas.
 */
@NullMarked
package dev.kudu4j.server.rpc;

import org.jspecify.annotations.NullMarked;
