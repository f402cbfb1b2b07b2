package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.AlterSchemaResponsePB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of the master to tablet servers. Every request may be repeated: it succeeds if the
 * requested state exists already. If a future fails, the outcome is unknown.
 */
public interface TabletServerCalls {
  CompletableFuture<CreateTabletResponsePB> createTablet(
      RegisteredServer server, CreateTabletRequestPB request);

  CompletableFuture<AlterSchemaResponsePB> alterSchema(
      RegisteredServer server, AlterSchemaRequestPB request);

  CompletableFuture<DeleteTabletResponsePB> deleteTablet(
      RegisteredServer server, DeleteTabletRequestPB request);

  CompletableFuture<ChangeConfigResponsePB> changeConfig(
      RegisteredServer leader, ChangeConfigRequestPB request);

  CompletableFuture<LeaderStepDownResponsePB> stepDown(
      RegisteredServer leader, LeaderStepDownRequestPB request);
}
