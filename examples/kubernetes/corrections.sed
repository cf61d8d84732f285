# What the packages of the API cannot tell: alpha kinds that stayed in the code after the API server had stopped serving them.
# The first release that no longer served each comes from the discovery documents of the servers.
/^\[group."discovery.k8s.io".version\]$/,/^$/ s/^v1alpha1 = { introduced = "1.16", removed = "1.21" }$/v1alpha1 = { introduced = "1.16", removed = "1.17" }/
/^\[group."networking.k8s.io".kind.IPAddress\]$/,/^\[/ s/^version.v1alpha1 = .*$/version.v1alpha1 = { introduced = "1.27", deprecated = "1.30", removed = "1.31" }/
/^\[group."networking.k8s.io".kind.ServiceCIDR\]$/,/^$/ s/^version.v1alpha1 = .*$/version.v1alpha1 = { introduced = "1.27", deprecated = "1.30", removed = "1.31" }/
/^\[group."networking.k8s.io".version\]$/,/^\[group."networking.k8s.io".kind\]$/ s/^v1alpha1 = .*$/v1alpha1 = { introduced = "1.25", removed = "1.31" }/
/^\[group."node.k8s.io".version\]$/,/^\[group."node.k8s.io".kind\]$/ s/^v1alpha1 = { introduced = "1.14" }$/v1alpha1 = { introduced = "1.14", removed = "1.24" }/
/^\[group."rbac.authorization.k8s.io".version\]$/,/^\[group."rbac.authorization.k8s.io".kind\]$/ s/^v1alpha1 = { introduced = "1.8" }$/v1alpha1 = { introduced = "1.8", removed = "1.23" }/
/^\[group."scheduling.k8s.io".version\]$/,/^\[group."scheduling.k8s.io".kind\]$/ s/^v1alpha1 = .*$/v1alpha1 = { lives = [{ introduced = "1.8", removed = "1.23" }, { introduced = "1.35", removed = "1.36" }] }/
/^\[group."scheduling.k8s.io".kind\]$/,/^$/ {
  s/^PriorityClass = .*$/PriorityClass = { versions = ["v1", "v1alpha1", "v1beta1"], version.v1alpha1 = { introduced = "1.8", removed = "1.23" } }/
}
/^\[group."storage.k8s.io".kind.VolumeAttachment\]$/,/^\[/ s/^version.v1alpha1 = .*$/version.v1alpha1 = { deprecated = "1.21", removed = "1.23", replacement = "v1" }/

# fields.toml has the tables of these kinds.
/^\[group.core.kind\]$/,/^\[/ {
  /^Node = {}$/d
  /^PersistentVolume = {}$/d
  /^PersistentVolumeClaim = {}$/d
  /^Pod = {}$/d
  /^Service = {}$/d
  /^ServiceAccount = {}$/d
}
/^\[group."discovery.k8s.io".kind\]$/,/^$/ {
  /^EndpointSlice = {}$/d
}
