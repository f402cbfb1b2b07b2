package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** This master and the other masters of the cluster. */
public interface MasterGroup {
  NodeInstancePB instance();

  ServerRegistrationPB registration();

  /** The RPC addresses of all masters, as clients should know them. */
  List<HostPortPB> addresses();

  /**
   * Asks the other masters for their identity. A master that does not answer gets an entry with an
   * error.
   */
  CompletableFuture<List<ServerEntryPB>> others();

  /** The group of a master without others. */
  static MasterGroup alone(NodeInstancePB instance, ServerRegistrationPB registration) {
    return new MasterGroup() {
      @Override
      public NodeInstancePB instance() {
        return instance;
      }

      @Override
      public ServerRegistrationPB registration() {
        return registration;
      }

      @Override
      public List<HostPortPB> addresses() {
        return registration.getRpcAddressesList();
      }

      @Override
      public CompletableFuture<List<ServerEntryPB>> others() {
        return CompletableFuture.completedFuture(List.of());
      }
    };
  }
}
