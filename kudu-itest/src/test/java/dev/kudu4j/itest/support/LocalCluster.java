package dev.kudu4j.itest.support;

import static org.awaitility.Awaitility.await;

import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.tools.Kudu;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Masters (usually one) and some of our tablet servers, each a separate process, on free loopback
 * ports, started through the main class of the command line. Closing kills them, and asserts that
 * every file that they leave is valid.
 */
public final class LocalCluster implements Cluster {
  private static final long MEMORY_LIMIT_BYTES = 900L << 20;
  private static final List<String> JVM =
      Stream.concat(
              Stream.of("-Xms64m", "-Xmx384m", "-XX:MaxDirectMemorySize=512m"),
              TestJvm.options().stream())
          .toList();

  /** JVM options for many tablet servers that start often: a small heap, and C1 only. */
  public static final List<String> SMALL_JVM =
      List.of(
          "-Xms64m",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=384m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1");

  private final Function<String, List<String>> jvmOptions;
  private final Function<String, Site> sites;
  private final Path secret;
  private final List<Daemon> masters = new ArrayList<>();
  private final List<Daemon> tabletServers = new ArrayList<>();
  private final List<Path> homes = new ArrayList<>();
  private boolean filesAreSound = true;

  /** One master and one tablet server. */
  public LocalCluster(Path directory, String... extraFlags) {
    this(directory, 1, extraFlags);
  }

  public LocalCluster(Path directory, int tabletServerCount, String... extraFlags) {
    this(directory, tabletServerCount, JVM, extraFlags);
  }

  /**
   * @param jvmOptions instead of the default ones: memory and collector
   */
  public LocalCluster(
      Path directory, int tabletServerCount, List<String> jvmOptions, String... extraFlags) {
    this(directory, 1, tabletServerCount, name -> jvmOptions, name -> Site.LOOPBACK, extraFlags);
  }

  /**
   * @param jvmOptions options by the name of the server: {@code master} or {@code master-0}, {@code
   *     tserver-0} and so on
   * @param sites sites by the name of the server
   */
  public LocalCluster(
      Path directory,
      int masterCount,
      int tabletServerCount,
      Function<String, List<String>> jvmOptions,
      Function<String, Site> sites,
      String... extraFlags) {
    this.jvmOptions = jvmOptions;
    this.sites = sites;
    this.secret = makeSecret(directory);
    addMasters(directory, masterCount, extraFlags);
    for (int i = 0; i < tabletServerCount; i++) {
      String name = tabletServerCount == 1 ? "tserver" : "tserver-" + i;
      Path home = directory.resolve(tabletServerCount == 1 ? "t" : "t" + i);
      tabletServers.add(tabletServer(name, home, extraFlags));
    }
  }

  private static Path makeSecret(Path directory) {
    Path file = directory.resolve("cluster-secret");
    try {
      Files.createDirectories(directory);
      if (!Files.exists(file)) {
        ClusterSecret.random().write(file);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Several masters, and tablet servers with the default memory. */
  public static LocalCluster withMasters(
      Path directory, int masterCount, int tabletServerCount, String... extraFlags) {
    return new LocalCluster(
        directory, masterCount, tabletServerCount, name -> JVM, name -> Site.LOOPBACK, extraFlags);
  }

  private void addMasters(Path directory, int count, String... extraFlags) {
    List<String> names =
        IntStream.range(0, count).mapToObj(i -> count == 1 ? "master" : "master-" + i).toList();
    List<Integer> ports = names.stream().map(name -> Ports.free()).toList();
    List<String> flags = new ArrayList<>(List.of(extraFlags));
    if (count > 1) {
      flags.add(
          "--master_addresses="
              + IntStream.range(0, count)
                  .mapToObj(i -> sites.apply(names.get(i)).host() + ":" + ports.get(i))
                  .collect(Collectors.joining(",")));
    }
    for (int i = 0; i < count; i++) {
      Path home = directory.resolve(count == 1 ? "m" : "m" + i);
      masters.add(daemon("master", names.get(i), home, ports.get(i), flags));
    }
  }

  private Daemon tabletServer(String name, Path home, String... extraFlags) {
    List<String> flags = new ArrayList<>();
    flags.add("--tserver_master_addrs=" + masters());
    flags.addAll(List.of(extraFlags));
    return daemon("tserver", name, home, Ports.free(), flags);
  }

  private Daemon daemon(String kind, String name, Path home, int port, List<String> extra) {
    Site site = sites.apply(name);
    homes.add(home);
    List<String> command = new ArrayList<>(site.launcher());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions.apply(name));
    command.add("-ea");
    command.addAll(DaemonClasses.javaOptions());
    command.addAll(List.of("dev.kudu4j.tools.Kudu", kind, "run"));
    command.add("--fs_wal_dir=" + home);
    command.add("--fs_data_dirs=" + home);
    command.add("--rpc_bind_addresses=" + site.host() + ":" + port);
    command.add("--webserver_interface=" + site.host());
    command.add("--webserver_port=0");
    command.add("--cluster_secret_file=" + secret);
    command.add("--memory_limit_hard_bytes=" + MEMORY_LIMIT_BYTES);
    command.add("--default_num_replicas=1");
    extra.stream().filter(flag -> isFor(kind, flag)).forEach(command::add);
    return new Daemon(name, site.host(), port, home.getParent(), command, Map.of());
  }

  /** Flags of transactions belong to one kind of server; others are given to both. */
  private static boolean isFor(String kind, String flag) {
    String owner = flag.startsWith("--txn_manager_") ? "master" : "tserver";
    return !flag.startsWith("--txn_") || kind.equals(owner);
  }

  /**
   * Starts all servers and waits until a master leads and knows every tablet server; stops all of
   * them if that fails.
   */
  public LocalCluster start() {
    try {
      launchAll();
      return this;
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  private void launchAll() {
    masters.forEach(Daemon::launch);
    tabletServers.forEach(Daemon::launch);
    masters.forEach(Daemon::awaitPort);
    tabletServers.forEach(Daemon::awaitPort);
    awaitTabletServers();
  }

  @Override
  public void awaitTabletServers() {
    await("every tablet server is registered")
        .atMost(Duration.ofMinutes(2))
        .until(() -> masters.stream().anyMatch(this::knowsTabletServers));
  }

  private boolean knowsTabletServers(Daemon master) {
    return AdminCalls.answersLiveTabletServers(master, tabletServers.size());
  }

  @Override
  public Daemon master() {
    return masters.get(0);
  }

  public List<Daemon> allMasters() {
    return masters;
  }

  /** Waits for a leading master and returns it. */
  public Daemon awaitLeadingMaster() {
    return await("a master leads")
        .atMost(Duration.ofMinutes(2))
        .until(this::leadingMaster, Optional::isPresent)
        .orElseThrow();
  }

  private Optional<Daemon> leadingMaster() {
    return masters.stream().filter(Daemon::isAlive).filter(AdminCalls::leads).findFirst();
  }

  @Override
  public Daemon tabletServer() {
    return tabletServers.get(0);
  }

  public List<Daemon> tabletServers() {
    return tabletServers;
  }

  @Override
  public String masters() {
    return masters.stream().map(Daemon::address).collect(Collectors.joining(","));
  }

  @Override
  public int tabletServerCount() {
    return tabletServers.size();
  }

  @Override
  public int replicaCount() {
    return tabletServers.size() >= 3 ? 3 : 1;
  }

  @Override
  public boolean isPublished() {
    return false;
  }

  @Override
  public void flush() {
    tabletServers.forEach(AdminCalls::flush);
  }

  /** Kills all servers with {@code kill -9}, then starts all of them. */
  public void killAndRestart() {
    tabletServers.forEach(Daemon::kill);
    masters.forEach(Daemon::kill);
    start();
  }

  /** Called by tests that corrupt files: the files are not checked at the end. */
  public void expectBrokenFiles() {
    filesAreSound = false;
  }

  @Override
  public void close() {
    tabletServers.forEach(Daemon::close);
    masters.forEach(Daemon::close);
    if (filesAreSound) {
      homes.stream()
          .filter(home -> Files.exists(home.resolve("instance")))
          .forEach(LocalCluster::check);
    }
  }

  /** Checks the files with the operator's command. */
  private static void check(Path home) {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    int verdict =
        Kudu.commandLine().setOut(writer).setErr(writer).execute("fs", "check", home.toString());
    if (verdict != 0) {
      throw new AssertionError("kudu fs check " + home + "\n" + output);
    }
  }
}
