package dev.kudu4j.itest.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.itest.hostile.Seeds.Seed;
import dev.kudu4j.master.Master;
import dev.kudu4j.master.MasterOptions;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.tserver.TabletServer;
import dev.kudu4j.tserver.TabletServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedsTest {
  @TempDir private Path directory;

  @Test
  void everyMethodOfEveryServiceHasARequest() {
    Set<String> methods = new TreeSet<>();
    List<String> masterFlags = new ArrayList<>(flags("m"));
    masterFlags.add("--txn_manager_enabled");
    try (Master master = Master.start(FlagParser.parse(MasterOptions.all(), masterFlags));
        TabletServer server =
            TabletServer.start(FlagParser.parse(TabletServerOptions.all(), flags("t")))) {
      for (ServerProcess process : List.of(master.process(), server.process())) {
        for (RpcService service : process.services()) {
          service.methodNames().forEach(method -> methods.add(service.name() + "." + method));
        }
      }
    }
    Set<String> seeds =
        Seeds.of(Scene.EMPTY).stream()
            .map(Seed::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(seeds).as("methods with a request to mutate: add one to Seeds").isEqualTo(methods);
  }

  private List<String> flags(String home) {
    return List.of(
        "--fs_wal_dir=" + directory.resolve(home),
        "--rpc_bind_addresses=127.0.0.1:0",
        "--webserver_enabled=false",
        "--memory_limit_hard_bytes=" + (300L << 20));
  }

  @Test
  void mutationsDependOnlyOnTheirSeed() {
    for (Seed seed : Seeds.of(Scene.EMPTY)) {
      byte[] once = new Mutator(new Random(7)).mutate(seed.request());
      assertThat(new Mutator(new Random(7)).mutate(seed.request())).isEqualTo(once);
    }
  }

  @Test
  void anyMessageCanBeMutated() {
    Random random = new Random(20_261_123);
    Mutator mutator = new Mutator(random);
    for (Seed seed : Seeds.of(Scene.EMPTY)) {
      int changed = 0;
      for (int i = 0; i < 200; i++) {
        if (!Arrays.equals(mutator.mutate(seed.request()), seed.request().toByteArray())) {
          changed++;
        }
      }
      assertThat(changed).as(seed.name()).isGreaterThan(70);
    }
  }
}
